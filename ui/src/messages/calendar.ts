export const calendarText = {
  view: "View",
  list: "List",
  day: "24 h",
  week: "Week",
  often: "Frequent",
  every: (interval: string, runs: number) => `every ${interval}, ${runs.toLocaleString("en")} runs`,
  nothing: "no runs",
  none: {
    day: "No runs in the next 24 hours",
    week: "No runs in the next 7 days",
  },
  noneHint: "Event rules have no run times. See them in the list.",
};
