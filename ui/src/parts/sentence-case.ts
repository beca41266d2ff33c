/** Capitalizes the first letter, for words that stand alone as an option. */
export function sentenceCase(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
