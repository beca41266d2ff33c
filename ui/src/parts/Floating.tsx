import { type HTMLAttributes, type ReactNode, type RefObject, Suspense, useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import type { Align } from "./box-position";
import styles from "./Floating.module.css";
import { useFloatingPosition } from "./useFloatingPosition";

interface Props extends HTMLAttributes<HTMLDivElement> {
  /** The element it is placed beside. */
  anchor: RefObject<HTMLElement | null>;
  align?: Align;
  /** `isEscape`: closed by Escape, so the focus returns to the opener; false after a click or focus outside. */
  onClose: (isEscape: boolean) => void;
  /** Called once the content is loaded and placed. */
  onShown: (box: HTMLElement) => void;
  children: ReactNode;
}

/** Floating box that closes on outside clicks. It stays hidden until its content is loaded. */
export function Floating({ anchor, align = "start", onClose, onShown, children, ...rest }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const { style, isPositioned, update } = useFloatingPosition(anchor, box, align);
  const latest = useRef({ onClose, onShown });
  latest.current = { onClose, onShown };

  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      const isInside = [box, anchor].some(({ current }) => current?.contains(target as Node));
      if (!isInside) latest.current.onClose(false);
    };
    document.addEventListener("pointerdown", onPress);
    return () => document.removeEventListener("pointerdown", onPress);
  }, [anchor]);

  // Hidden elements cannot take the focus.
  useEffect(() => {
    if (isPositioned && box.current) latest.current.onShown(box.current);
  }, [isPositioned]);

  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: the role is passed in by the caller
    <div
      {...rest}
      ref={box}
      className={styles.floating}
      style={style}
      onKeyDown={(event) => {
        rest.onKeyDown?.(event);
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose(true);
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget && !box.current?.contains(relatedTarget)) onClose(false);
      }}
    >
      <Suspense>
        {children}
        <RunOnMount callback={update} />
      </Suspense>
    </div>,
    document.body,
  );
}

/** Mounted after the content, so its effect runs once the content has loaded. */
function RunOnMount({ callback }: { callback: () => void }) {
  const first = useRef(callback);
  useEffect(() => first.current(), []);
  return null;
}
