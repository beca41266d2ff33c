/** Sentences of the calendar of schedules. */
export const calendarText = {
  view: "View",
  list: "List",
  day: "24 h",
  week: "Week",
  often: "Often",
  every: (gap: string, count: number) =>
    `every ${gap.replace(/ m\b/, " min")} ×${count.toLocaleString("en")}`,
  nothing: "nothing",
  none: {
    day: "No schedule fires within 24 hours",
    week: "No schedule fires within a week",
  },
  noneHint: "Event rules have no times: they are on the list.",
};
