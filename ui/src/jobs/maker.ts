/** "trigger:Nightly" is told by its sign already: the name is enough. */
export function makerOf(createdBy: string): string {
  return createdBy.replace(/^(trigger|user|token):/, "");
}
