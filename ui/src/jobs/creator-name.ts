/** Removes the kind from "trigger:Nightly", because the icon shows it. */
export function creatorName(createdBy: string): string {
  return createdBy.replace(/^(trigger|user|token):/, "");
}
