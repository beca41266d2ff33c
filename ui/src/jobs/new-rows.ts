/** How many of the newest rows are newer than the first one shown. */
export function countNew(newest: { id: string }[], first: string | undefined): number {
  if (first === undefined) return 0;
  const place = newest.findIndex(({ id }) => id <= first);
  return place < 0 ? newest.length : place;
}
