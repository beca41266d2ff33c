// @vitest-environment happy-dom
import { MantineProvider } from "@mantine/core";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SuggestInput } from "./SuggestInput";

const WORDS = ["status:", "status:dead_letter"];
/** Suggests the words that start with the text before the caret. */
const suggest = (text: string, caret: number) => ({
  from: 0,
  to: caret,
  values: WORDS.filter((word) => word.startsWith(text.slice(0, caret)) && word !== text),
});

let root: Root;
let changes: string[];

const field = () => document.querySelector("input") as HTMLInputElement;
const show = (value: string) =>
  act(() =>
    root.render(
      <MantineProvider>
        <SuggestInput
          label="Filter"
          placeholder=""
          value={value}
          onChange={(next) => changes.push(next)}
          suggest={suggest}
        />
      </MantineProvider>,
    ),
  );

/** Types text at the caret, one character at a time. */
function type(text: string): void {
  for (const sign of text) {
    act(() => {
      const { value, selectionStart } = field();
      const caret = selectionStart ?? value.length;
      const put = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
      put?.call(field(), value.slice(0, caret) + sign + value.slice(caret));
      field().setSelectionRange(caret + 1, caret + 1);
      field().dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
}

const press = (key: string) =>
  act(() => field().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  changes = [];
  const container = document.body.appendChild(document.createElement("div"));
  root = createRoot(container);
  show("");
});

afterEach(() => {
  act(() => root.unmount());
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("moves the caret behind an accepted word before the next key", () => {
  type("stat");
  press("ArrowDown");
  press("Enter");
  expect(field().selectionStart).toBe("status:".length);
  type("dead");
  press("ArrowDown");
  press("Enter");
  expect(field().value).toBe("status:dead_letter");
});

it("keeps new typing while an earlier value is applied", () => {
  type("status:");
  act(() => vi.advanceTimersByTime(1_000));
  expect(changes).toEqual(["status:"]);
  type("dead");
  show("status:");
  expect(field().value).toBe("status:dead");
  show("");
  expect(field().value, "cleared from elsewhere").toBe("");
});
