import { useEffect } from "react";
import { text } from "../messages";

/** Names the page in the tab and in the history. */
export function useTitle(page: string): void {
  useEffect(() => {
    document.title = text.title(page);
  }, [page]);
}
