import { expect, it } from "vitest";
import { joinWords, splitWords } from "./shell-words";

it("splitWords splits like a shell", () => {
  expect(splitWords("redis-server --port 6379")).toEqual(["redis-server", "--port", "6379"]);
  expect(splitWords(`sh -c 'echo ready; while read line; do echo "got $line"; done'`)).toEqual([
    "sh",
    "-c",
    'echo ready; while read line; do echo "got $line"; done',
  ]);
  expect(splitWords(`a"b c"d "" 'x'\\''y' e\\ f`)).toEqual(["ab cd", "", "x'y", "e f"]);
  expect(splitWords("  ")).toEqual([]);
  expect(splitWords("echo 'open")).toBeUndefined();
});

it("joined words are split into the same words", () => {
  for (const argv of [["sh", "-c", "echo 'a' \"b\" $c\nnext"], ["x", ""], ["it's"]]) {
    expect(splitWords(joinWords(argv))).toEqual(argv);
  }
});
