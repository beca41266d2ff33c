/** Texts of row selection and the views menu. A separate file, because every list loads them. */
export const selectText = {
  selected: (n: number) => `${n.toLocaleString("en")} selected`,
  select: (name: string) => `Select ${name}`,
  selectAll: "Select all",
  clear: "Clear selection",
  views: "Views",
  newRows: (n: number, isMore: boolean) => `Show ${n.toLocaleString("en")}${isMore ? "+" : ""} new`,
};
