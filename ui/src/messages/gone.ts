/** Sentences about what is no longer there. */
export const goneText = {
  unknown: "The address may be mistyped, or it went so long ago that its removal is not among the last ones.",
  askAdmin: "The address may be mistyped, or it was deleted: an admin can see in the audit log by whom.",
  deleted: (name: string) => `${name} was deleted`,
  by: (actor: string) => `Deleted by ${actor} on`,
  audit: "Show it in the audit log",
  host: "There is no such host",
  trigger: "There is no such trigger",
};
