/** URL prefix of the hub without a trailing slash; empty at the root. */
export const basePath = (
  document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ""
).replace(/\/+$/, "");
