import { useLocation, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";

/** The line in the URL hash, for example `#L1203`. */
export function useLineHash(): [number | undefined, (line: number) => void] {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const found = /^L(\d{1,12})$/.exec(hash);
  const set = useCallback(
    (line: number) =>
      void navigate({
        to: ".",
        search: true,
        hash: `L${line}`,
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      }),
    [navigate],
  );
  return [found ? Number(found[1]) : undefined, set];
}
