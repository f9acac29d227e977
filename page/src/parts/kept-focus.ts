import { useEffect, useRef } from "preact/hooks";

/**
 * Keeps the keyboard focus in an element whose controls are gone: the element itself gets the focus.
 * @param isOver True once nothing replaces the controls.
 * @returns properties of the element
 */
export function useKeptFocus(isOver: boolean) {
  const element = useRef<HTMLDivElement>(null);
  const isByKeyboard = useRef(false);
  useEffect(() => {
    if (isOver && isByKeyboard.current && document.activeElement === document.body) element.current!.focus();
  }, [isOver]);
  return {
    ref: element,
    tabIndex: -1,
    onKeyDownCapture: () => void (isByKeyboard.current = true),
    onPointerDownCapture: () => void (isByKeyboard.current = false),
  };
}
