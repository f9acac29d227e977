#!/bin/sh
# Runs the compiler of the lock file for forge, without forge's other options: this compiler does not have all of them,
# and finds all sources in its input.
set -eu
solcjs="$(dirname "$0")/../node_modules/.bin/solcjs"
case "$*" in *--version*) exec "$solcjs" --version ;; esac
# The compiler neither waits for the input of a pipe, nor until a pipe has taken its output.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/input"
"$solcjs" --standard-json <"$folder/input" >"$folder/output"
cat "$folder/output"
