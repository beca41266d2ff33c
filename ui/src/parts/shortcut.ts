const isMac = /^(Mac|iPhone|iPad)/.test(navigator.platform);

/** Label of a shortcut with the command key: "⌘ K" on a Mac, "Ctrl K" elsewhere. */
export function shortcut(letter: string): string {
  return `${isMac ? "⌘" : "Ctrl"} ${letter}`;
}
