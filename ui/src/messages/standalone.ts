const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** Texts for standalone mode, in which the pages show one machine's own database. */
export const standaloneText = {
  title: "Standalone mode: showing this machine's own data",
  note: "These pages show the database of this machine. It has not joined a hub, or has not connected to it yet.",
  pendingChanges: (n: number) =>
    n === 0
      ? "These pages show the database of this machine. All changes have been sent to the hub."
      : `These pages show the database of this machine. ${count(n, "change has", "changes have")} not been sent to the hub yet.`,
};
