/** Texts of pages whose host or trigger was not found. */
export const notFoundText = {
  unknown: "It may have been deleted, or the link is wrong.",
  askAdmin: "It may have been deleted, or the link is wrong. An admin can check the audit log.",
  deleted: (name: string) => `${name} was deleted`,
  by: (actor: string) => `Deleted by ${actor} on`,
  audit: "Show in audit log",
  host: "Host not found",
  trigger: "Trigger not found",
};
