import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { linkTo } from "../router.ts";
import { Crest } from "./crest.tsx";
import { nameOf, notePerson } from "./people.ts";
import "../styles/person.css";

/** Milliseconds after which a touch is a long press: before a browser opens its own menu. */
const LONG_PRESS = 400;
/** Pixels between a person and its address, and between the address and the edge of the window. */
const GAP = 6;
const EDGE = 8;

/** Person whose whole address is shown; undefined for nobody. */
const pointedAt = signal<{ readonly address: string; readonly link: HTMLElement } | undefined>(undefined);

/**
 * Shows a person by crest and name, as a link to its page; the person at the browser is "You". Names are not identity,
 * so the whole address appears on hover, focus and a long press.
 * @param props.you Address of the person at the browser.
 * @param props.isConfirmed True if something depends on the identity: the address is then beside the name.
 */
export function Person({
  address,
  you,
  isConfirmed = false,
}: {
  address: string;
  you?: string;
  isConfirmed?: boolean;
}) {
  const link = useRef<HTMLAnchorElement>(null);
  const press = useLongPress(() => point(address, link.current!));
  useEffect(() => () => clear(link.current), []);
  return (
    <>
      <a
        ref={link}
        class="person"
        href={linkTo("player", [address])}
        title={address}
        onFocus={({ currentTarget }) => currentTarget.matches(":focus-visible") && point(address, currentTarget)}
        onBlur={({ currentTarget }) => clear(currentTarget)}
        {...press}
      >
        <Crest address={address} />
        {address === you ? "You" : <Name address={address} />}
      </a>
      {isConfirmed && <span class="mono small muted person-address"> {address}</span>}
    </>
  );
}

/**
 * Name of a person. Adds the last digits of the address if a namesake is shown, and a pen if the name was given here.
 */
export function Name({ address }: { address: string }) {
  const { name, digits, isGiven } = nameOf(address);
  useLayoutEffect(() => notePerson(address), [address]);
  return (
    <span>
      {name}
      {digits !== undefined && <span class="muted small mono"> {digits}</span>}
      {isGiven && <Pen />}
    </span>
  );
}

function Pen() {
  return (
    <svg class="pen" viewBox="0 0 16 16" width="12" height="12" role="img" aria-label=", your name for this person">
      <path
        fill="currentColor"
        d="M2 14l1-4 7.5-7.5 3 3L6 13zM11.3 1.2a1.5 1.5 0 0 1 2 0l1.5 1.5a1.5 1.5 0 0 1 0 2l-.6.6-3.5-3.5z"
      />
    </svg>
  );
}

function point(address: string, link: HTMLElement): void {
  pointedAt.value = { address, link };
}

function clear(link: HTMLElement | null): void {
  if (pointedAt.peek()?.link === link) pointedAt.value = undefined;
}

/** Returns listeners with which a long press on a link acts instead of following the link. */
function useLongPress(onPress: () => void) {
  const state = useRef<{ timer?: ReturnType<typeof setTimeout>; isPressed: boolean }>({ isPressed: false });
  const end = () => clearTimeout(state.current.timer);
  useEffect(() => end, []);
  return {
    onPointerDown: ({ pointerType }: PointerEvent) => {
      end();
      state.current.isPressed = false;
      if (pointerType === "mouse") return;
      state.current.timer = setTimeout(() => {
        state.current.isPressed = true;
        onPress();
      }, LONG_PRESS);
    },
    onPointerUp: end,
    onPointerCancel: end,
    onPointerLeave: end,
    onContextMenu: (event: Event) => state.current.isPressed && event.preventDefault(),
    onClick: (event: Event) => {
      if (state.current.isPressed) event.preventDefault();
    },
  };
}

/** Shows the whole address of a person that the keyboard or a long press points at, until something else happens. */
export function AddressTip() {
  const pointed = pointedAt.value;
  const tip = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    if (!pointed) return undefined;
    const place = () => placeBeside(tip.current!, pointed.link);
    const hide = () => clear(pointed.link);
    const onKey = ({ key }: KeyboardEvent) => key === "Escape" && hide();
    place();
    // A change of the focus may scroll the page.
    addEventListener("scroll", place, true);
    addEventListener("pointerdown", hide);
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("scroll", place, true);
      removeEventListener("pointerdown", hide);
      removeEventListener("keydown", onKey);
    };
  }, [pointed]);
  // Screen readers get the address as the description of the link.
  return pointed ? (
    <p ref={tip} class="address-tip mono" aria-hidden="true">
      {pointed.address}
    </p>
  ) : null;
}

/** Places a fixed element below a link, or above it if there is no room, within the window. */
function placeBeside({ offsetWidth, offsetHeight, style }: HTMLElement, link: HTMLElement): void {
  const { left, bottom, top } = link.getBoundingClientRect();
  const isBelow = bottom + GAP + offsetHeight + EDGE <= innerHeight;
  style.left = `${Math.max(EDGE, Math.min(left, document.documentElement.clientWidth - offsetWidth - EDGE))}px`;
  style.top = `${isBelow ? bottom + GAP : top - GAP - offsetHeight}px`;
}
