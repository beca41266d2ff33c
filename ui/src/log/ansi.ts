/** Style of a text segment. A color is an index of the 16 terminal colors, or a CSS color. */
export interface TextStyle {
  fg?: number | string;
  bg?: number | string;
  isBold?: boolean;
  isDim?: boolean;
  isItalic?: boolean;
  isUnderlined?: boolean;
  isStruck?: boolean;
  isInverse?: boolean;
}

export interface StyledText {
  text: string;
  style: TextStyle;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern matches control characters
const SEQUENCE = /\x1b\[([\x30-\x3f]*)[\x20-\x2f]*([\x40-\x7e])/g;
/** Escape sequences other than colors: titles, links, character sets. */
const OTHER_SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[PX^_][^\x1b]*(?:\x1b\\)?|\x1b[ -/]+[0-~]|\x1b(?![[\]])[0-~]?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const CONTROLS = /[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f\x80-\x9f]/g;

/** The visible part of a line: text before the last carriage return is overwritten. */
function lastSegment(line: string): string {
  const end = line.endsWith("\r") ? line.slice(0, -1) : line;
  return end.slice(end.lastIndexOf("\r") + 1);
}

/** Plain text without escape sequences, for search and copy. */
export function stripAnsi(line: string): string {
  if (!hasControlCharacters(line)) return line;
  return lastSegment(line).replace(OTHER_SEQUENCES, "").replace(SEQUENCE, "").replace(CONTROLS, "");
}

function hasControlCharacters(line: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  return /[\x00-\x08\x0a-\x1f\x7f-\x9f]/.test(line);
}

/** Splits a line into segments of one style. Other control sequences are dropped. */
export function parseAnsi(line: string): StyledText[] {
  if (!hasControlCharacters(line)) return line === "" ? [] : [{ text: line, style: {} }];
  const segments: StyledText[] = [];
  const source = lastSegment(line).replace(OTHER_SEQUENCES, "");
  let style: TextStyle = {};
  let at = 0;
  const add = (text: string) => {
    const clean = text.replace(CONTROLS, "");
    if (clean !== "") segments.push({ text: clean, style });
  };
  for (const match of source.matchAll(SEQUENCE)) {
    add(source.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[2] === "m") style = applyParameters(style, match[1] ?? "");
  }
  add(source.slice(at));
  return segments;
}

/** Parameters of a color sequence. `38:2::r:g:b` equals `38;2;r;g;b`. */
function colorParameters(parameters: string): number[] {
  return parameters
    .replace(/([34]8):2:\d*:(\d+):(\d+):(\d+)/g, "$1;2;$2;$3;$4")
    .replace(/([34]8):5:(\d+)/g, "$1;5;$2")
    .split(";")
    .map((part) => (part === "" ? 0 : Number.parseInt(part, 10)));
}

const FLAGS: Record<number, TextStyle> = {
  1: { isBold: true },
  2: { isDim: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isInverse: true },
  9: { isStruck: true },
  22: { isBold: false, isDim: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  27: { isInverse: false },
  29: { isStruck: false },
};

function applyParameters(before: TextStyle, parameters: string): TextStyle {
  const numbers = colorParameters(parameters);
  let style = before;
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    if (code === 0) style = {};
    else if (FLAGS[code]) style = { ...style, ...FLAGS[code] };
    else if (code === 38 || code === 48) {
      const [color, used] = extendedColor(numbers.slice(at + 1));
      at += used;
      if (color !== undefined) style = code === 38 ? { ...style, fg: color } : { ...style, bg: color };
    } else style = { ...style, ...basicColor(code) };
  }
  return style;
}

function basicColor(code: number): TextStyle {
  if (code >= 30 && code <= 37) return { fg: code - 30 };
  if (code >= 40 && code <= 47) return { bg: code - 40 };
  if (code >= 90 && code <= 97) return { fg: code - 82 };
  if (code >= 100 && code <= 107) return { bg: code - 92 };
  if (code === 39) return { fg: "" };
  if (code === 49) return { bg: "" };
  return {};
}

/** Parses a 256-color or RGB value; also returns the number of consumed parameters. */
function extendedColor([kind, a = 0, b = 0, c = 0]: number[]): [number | string | undefined, number] {
  if (kind === 5) return [paletteColor(a), 2];
  if (kind === 2) return [`rgb(${byte(a)} ${byte(b)} ${byte(c)})`, 4];
  return [undefined, 0];
}

const byte = (value: number) => Math.min(255, Math.max(0, value || 0));

/** The xterm palette: 16 theme colors, color cube, gray ramp. */
function paletteColor(number: number): number | string {
  if (number < 16) return byte(number);
  if (number >= 232) {
    const gray = 8 + (Math.min(number, 255) - 232) * 10;
    return `rgb(${gray} ${gray} ${gray})`;
  }
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  const index = number - 16;
  return `rgb(${level(Math.floor(index / 36))} ${level(Math.floor(index / 6) % 6)} ${level(index % 6)})`;
}
