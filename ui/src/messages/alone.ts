const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** Sentences of pages over one machine. */
export const aloneText = {
  title: "This machine alone: showing what it has",
  note: "These pages are over this machine's own database. It has joined no hub, or none has heard of it yet.",
  waiting: (n: number) =>
    n === 0
      ? "These pages are over this machine's own database. Its hubs have all of it."
      : `These pages are over this machine's own database. ${count(n, "change waits", "changes wait")} to be told to its hubs.`,
};
