/** Sentences about choosing rows and views, apart because lists load with them. */
export const selectText = {
  selected: (n: number) => `${n.toLocaleString("en")} selected`,
  select: (name: string) => `Select ${name}`,
  selectAll: "Select all",
  clear: "Clear selection",
  views: "Views",
  fresh: (n: number, isMore: boolean) => `${n.toLocaleString("en")}${isMore ? "+" : ""} new · show`,
};
