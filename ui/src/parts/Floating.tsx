import { type HTMLAttributes, type ReactNode, type RefObject, Suspense, useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import styles from "./Floating.module.css";
import type { Align } from "./place";
import { usePlace } from "./usePlace";

interface Props extends HTMLAttributes<HTMLDivElement> {
  /** What it belongs to and stands beside. */
  anchor: RefObject<HTMLElement | null>;
  align?: Align;
  /** Asked for by Escape, which leads back to where one was, or by turning elsewhere. */
  onClose: (isBack: boolean) => void;
  /** Once all of it is there: what it holds may have to be loaded first. */
  onShown: (box: HTMLElement) => void;
  children: ReactNode;
}

/** Something above the page that goes when one turns elsewhere. It is not seen before what it holds is there. */
export function Floating({ anchor, align = "start", onClose, onShown, children, ...rest }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const { style, isPlaced, place } = usePlace(anchor, box, align);
  const now = useRef({ onClose, onShown });
  now.current = { onClose, onShown };

  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      const isInside = [box, anchor].some(({ current }) => current?.contains(target as Node));
      if (!isInside) now.current.onClose(false);
    };
    document.addEventListener("pointerdown", onPress);
    return () => document.removeEventListener("pointerdown", onPress);
  }, [anchor]);

  // What is not seen cannot take the focus.
  useEffect(() => {
    if (isPlaced && box.current) now.current.onShown(box.current);
  }, [isPlaced]);

  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: its role comes with the rest
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
        <Shown then={place} />
      </Suspense>
    </div>,
    document.body,
  );
}

/** Stands behind the content, and so is there when the content is. */
function Shown({ then }: { then: () => void }) {
  const first = useRef(then);
  useEffect(() => first.current(), []);
  return null;
}
