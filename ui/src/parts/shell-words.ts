/** Quotes a word for a shell. */
export function quoteShellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Joins a program and its arguments into a shell line. */
export function joinWords(words: readonly string[]): string {
  return words.map(quoteShellWord).join(" ");
}

const PART = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/y;

/** Splits a shell line: supports quotes and backslashes only. `undefined` if a quote is not closed. */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line.charAt(at))) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
      continue;
    }
    PART.lastIndex = at;
    const found = PART.exec(line);
    if (!found) return undefined;
    const [whole, plain, double, escaped, bare] = found;
    word = (word ?? "") + (plain ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? bare ?? "");
    at += whole.length;
  }
  return word === undefined ? words : [...words, word];
}
