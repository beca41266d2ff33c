import { expect, it } from "vitest";
import { toCsv } from "./csv";

it("toCsv quotes cells where needed", () => {
  expect(
    toCsv(
      ["a", "b"],
      [
        ['x "y"', "1,2"],
        [3, undefined],
      ],
    ),
  ).toBe('a,b\r\n"x ""y""","1,2"\r\n3,\r\n');
});

it("toCsv escapes formulas", () => {
  expect(toCsv(["a"], [["=1+1"], ["-5"]])).toBe("a\r\n'=1+1\r\n-5\r\n");
});
