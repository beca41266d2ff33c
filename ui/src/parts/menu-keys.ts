/** The item that a key moves to; `undefined` for other keys. */
export function neighbour(key: string, names: readonly string[], present: number): number | undefined {
  const count = names.length;
  if (count === 0) return undefined;
  switch (key) {
    case "ArrowDown":
      return (present + 1) % count;
    case "ArrowUp":
      return present <= 0 ? count - 1 : present - 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
  }
  if (key.length !== 1 || key === " ") return undefined;
  const turned = names.map((_, place) => (present + 1 + place) % count);
  return turned.find((place) => names[place]?.toLowerCase().startsWith(key.toLowerCase()));
}
