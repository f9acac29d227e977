"""Accepts every challenge without stake, and plays a random legal move. Run: python3 bot.py"""
import json, os, random, threading
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

URL = os.environ.get("DUELLO_API", "http://127.0.0.1:8100")
HEADERS = {"Authorization": "Bearer " + os.environ["DUELLO_API_TOKEN"]}

def post(path):
    try:
        urlopen(Request(URL + path, headers=HEADERS, method="POST")).close()
    except HTTPError as error:
        print(path, error.read().decode(), flush=True)

def lines(path):
    with urlopen(Request(URL + path, headers=HEADERS)) as response:
        for line in response:
            if line.strip():
                yield json.loads(line)

def play(game):
    for line in lines("/api/board/game/stream/" + game):
        state = line.get("state", line)
        if state["result"]:
            print("Game", game + ":", state["result"]["text"], flush=True)
        move = random.choice(state["legalMoves"] or [state["anyMove"]])
        if state["isMyTurn"] and move is not None:
            post(f"/api/board/game/{game}/move/{quote(move, safe='')}")

for event in lines("/api/stream/event"):
    challenge = event.get("challenge")
    if event["type"] == "challenge" and challenge["direction"] == "in":
        post(f"/api/challenge/{challenge['id']}/{'accept' if challenge['free'] else 'decline'}")
    if event["type"] == "gameStart":
        threading.Thread(target=play, args=[event["game"]["id"]], daemon=True).start()
