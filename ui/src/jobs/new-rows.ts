/** Number of rows that are newer than the first shown row. */
export function countNew(newest: { id: string }[], first: string | undefined): number {
  if (first === undefined) return 0;
  const place = newest.findIndex(({ id }) => id <= first);
  return place < 0 ? newest.length : place;
}
