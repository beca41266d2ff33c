/** The item that a key moves to; `undefined` for other keys. */
export function nextItem(key: string, names: readonly string[], current: number): number | undefined {
  const count = names.length;
  if (count === 0) return undefined;
  switch (key) {
    case "ArrowDown":
      return (current + 1) % count;
    case "ArrowUp":
      return current <= 0 ? count - 1 : current - 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
  }
  if (key.length !== 1 || key === " ") return undefined;
  const rotated = names.map((_, index) => (current + 1 + index) % count);
  return rotated.find((index) => names[index]?.toLowerCase().startsWith(key.toLowerCase()));
}
