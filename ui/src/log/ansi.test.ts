import { expect, it } from "vitest";
import { parseAnsi, stripAnsi } from "./ansi";

const E = "\x1b";

it("leaves plain text unchanged", () => {
  expect(parseAnsi("<b>no markup</b> 🌍")).toEqual([{ text: "<b>no markup</b> 🌍", style: {} }]);
  expect(parseAnsi("")).toEqual([]);
});

it("parses colors, styles and resets", () => {
  expect(parseAnsi(`${E}[1;31mred${E}[0m plain ${E}[92mbright`)).toEqual([
    { text: "red", style: { isBold: true, fg: 1 } },
    { text: " plain ", style: {} },
    { text: "bright", style: { fg: 10 } },
  ]);
});

it("parses 256 colors and RGB, with semicolons and colons", () => {
  expect(parseAnsi(`${E}[38;5;39mx`)[0]?.style.fg).toBe("rgb(0 175 255)");
  expect(parseAnsi(`${E}[48;5;244mx`)[0]?.style.bg).toBe("rgb(128 128 128)");
  expect(parseAnsi(`${E}[38;5;9mx`)[0]?.style.fg).toBe(9);
  expect(parseAnsi(`${E}[38;2;255;100;0mx`)[0]?.style.fg).toBe("rgb(255 100 0)");
  expect(parseAnsi(`${E}[38:2::255:100:0mx`)[0]?.style.fg).toBe("rgb(255 100 0)");
});

it("drops links, titles, cursor moves, bells and other sequences", () => {
  const line = `${E}]8;;javascript:alert(1)${E}\\click${E}]8;;${E}\\ ${E}]0;title\x07${E}[2J${E}(B\x07\x08ok`;
  expect(stripAnsi(line)).toBe("click ok");
  expect(
    parseAnsi(line)
      .map(({ text }) => text)
      .join(""),
  ).toBe("click ok");
});

it("keeps the text after the last carriage return", () => {
  expect(stripAnsi("progress 10 %\rprogress 100 %")).toBe("progress 100 %");
  expect(stripAnsi("windows line\r")).toBe("windows line");
});
