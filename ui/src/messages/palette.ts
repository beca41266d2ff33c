/** Sentences of the palette. */
export const paletteText = {
  title: "Search, go to, run",
  label: "What are you looking for?",
  hint: "A page, a host, a server, a job's id, or something to run",
  none: "Nothing found",
  groups: { go: "Go to", run: "Run", host: "Hosts", server: "Servers", trigger: "Triggers", job: "Jobs" },
  jobsWith: (text: string) => `Jobs with "${text}"`,
};
