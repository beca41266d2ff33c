import { useEffect } from "react";
import { text } from "../messages";

let page = "";
let urgent = 0;

function write(): void {
  const name = page ? text.title(page) : text.product;
  document.title = urgent > 0 ? `(${urgent}!) ${name}` : name;
}

/** Names the page in the tab and in the history. */
export function useTitle(name: string): void {
  useEffect(() => {
    page = name;
    write();
  }, [name]);
}

/** Says in the tab how many things need somebody, also while another tab is looked at. */
export function useTitleMark(count: number): void {
  useEffect(() => {
    urgent = count;
    write();
    return () => {
      urgent = 0;
    };
  }, [count]);
}
