const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** Texts about events. */
export const eventText = {
  title: "Events",
  filter: "Filter events by name",
  filterHint: "Name prefixes, for example job.,host.",
  name: "Event",
  at: "Time",
  data: "Event data",
  none: "No events yet",
  noneHint: "Events come from Hostler itself, from programs that send them, and from signed webhooks.",
  noMatch: "No events with this prefix",
  emit: "Send event",
  emitTitle: "Send an event",
  emitEffect: "Fires the triggers for this event, as if a program had sent it.",
  emitName: "Name",
  emitNameHint: "for example folder.changed",
  emitData: "Event data",
  emitDo: "Send event",
  emitted: (triggers: number, jobs: number) =>
    `${count(triggers, "trigger matched", "triggers matched")}, ${count(jobs, "job created", "jobs created")}`,
  open: "Open job",
  notObject: "Must be a JSON object: { … }",
};
