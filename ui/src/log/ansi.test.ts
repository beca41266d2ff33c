import { expect, it } from "vitest";
import { plain, stretches } from "./ansi";

const E = "\x1b";

it("leaves plain text unchanged", () => {
  expect(stretches("<b>no markup</b> 🌍")).toEqual([{ text: "<b>no markup</b> 🌍", look: {} }]);
  expect(stretches("")).toEqual([]);
});

it("parses colors, styles and resets", () => {
  expect(stretches(`${E}[1;31mred${E}[0m plain ${E}[92mbright`)).toEqual([
    { text: "red", look: { isBold: true, fg: 1 } },
    { text: " plain ", look: {} },
    { text: "bright", look: { fg: 10 } },
  ]);
});

it("parses 256 colors and RGB, with semicolons and colons", () => {
  expect(stretches(`${E}[38;5;39mx`)[0]?.look.fg).toBe("rgb(0 175 255)");
  expect(stretches(`${E}[48;5;244mx`)[0]?.look.bg).toBe("rgb(128 128 128)");
  expect(stretches(`${E}[38;5;9mx`)[0]?.look.fg).toBe(9);
  expect(stretches(`${E}[38;2;255;100;0mx`)[0]?.look.fg).toBe("rgb(255 100 0)");
  expect(stretches(`${E}[38:2::255:100:0mx`)[0]?.look.fg).toBe("rgb(255 100 0)");
});

it("drops links, titles, cursor moves, bells and other sequences", () => {
  const line = `${E}]8;;javascript:alert(1)${E}\\click${E}]8;;${E}\\ ${E}]0;title\x07${E}[2J${E}(B\x07\x08ok`;
  expect(plain(line)).toBe("click ok");
  expect(
    stretches(line)
      .map(({ text }) => text)
      .join(""),
  ).toBe("click ok");
});

it("keeps the text after the last carriage return", () => {
  expect(plain("progress 10 %\rprogress 100 %")).toBe("progress 100 %");
  expect(plain("windows line\r")).toBe("windows line");
});
