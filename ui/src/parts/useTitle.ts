import { useEffect } from "react";
import { text } from "../messages";

let page = "";
let urgent = 0;

function write(): void {
  const name = page ? text.title(page) : text.product;
  document.title = urgent > 0 ? `(${urgent}!) ${name}` : name;
}

export function useTitle(name: string): void {
  useEffect(() => {
    page = name;
    write();
  }, [name]);
}

/** Prefixes the document title with the number of urgent alerts. */
export function useTitleMark(count: number): void {
  useEffect(() => {
    urgent = count;
    write();
    return () => {
      urgent = 0;
    };
  }, [count]);
}
