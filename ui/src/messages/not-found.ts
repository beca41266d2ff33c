/** Texts of pages whose host or trigger was not found. */
export const notFoundText = {
  unknown: "It may have been removed, or the link is wrong.",
  askAdmin: "It may have been removed, or the link is wrong. An admin can check the audit log.",
  removed: (name: string) => `${name} was removed`,
  by: (actor: string) => `Removed by ${actor} on`,
  audit: "Show in audit log",
  host: "Host not found",
  trigger: "Trigger not found",
};
