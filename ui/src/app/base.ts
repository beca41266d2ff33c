/** The prefix the hub is served under, without a slash at its end; empty at the root. */
export const basePath = (
  document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ""
).replace(/\/+$/, "");
