const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** Texts for standalone mode, in which the pages show one machine's own database. */
export const aloneText = {
  title: "Standalone mode: showing this machine's own data",
  note: "These pages show this machine's own database. It has not joined a hub, or has not connected to one yet.",
  waiting: (n: number) =>
    n === 0
      ? "These pages show this machine's own database. All changes have been sent to its hub."
      : `These pages show this machine's own database. ${count(n, "change is", "changes are")} waiting to be sent to its hub.`,
};
