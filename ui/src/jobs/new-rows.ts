/** Number of rows that are newer than the first shown row. */
export function countNew(newest: { id: string }[], first: string | undefined): number {
  if (first === undefined) return 0;
  const index = newest.findIndex(({ id }) => id <= first);
  return index < 0 ? newest.length : index;
}
