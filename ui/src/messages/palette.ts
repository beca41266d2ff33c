export const paletteText = {
  title: "Search, open or run",
  label: "What are you looking for?",
  hint: "A page, host, server, trigger, job ID, or a definition to run",
  none: "No results",
  groups: { go: "Go to", run: "Run", host: "Hosts", server: "Servers", trigger: "Triggers", job: "Jobs" },
  jobsWith: (text: string) => `Jobs with "${text}"`,
};
