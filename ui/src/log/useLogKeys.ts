import { useEffect, useRef } from "react";
import { isTyping } from "../frame/keys";

interface Keys {
  onFollow: () => void;
  onStep: (direction: 1 | -1) => void;
  onCopy: () => void;
  onMove: (step: 1 | -1) => void;
  onFold: () => void;
}

/** `f` follows, `n` and `N` go from match to match, `j` and `k` from line to line, `o` unfolds, `y` copies the link. */
export function useLogKeys(keys: Keys): void {
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('[role="dialog"], [role="menu"]')) return;
      if (event.key === "f") now.current.onFollow();
      else if (event.key === "n") now.current.onStep(1);
      else if (event.key === "N") now.current.onStep(-1);
      else if (event.key === "j") now.current.onMove(1);
      else if (event.key === "k") now.current.onMove(-1);
      else if (event.key === "o") now.current.onFold();
      else if (event.key === "y") now.current.onCopy();
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
