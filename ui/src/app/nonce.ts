/** The nonce of this page. Read as a property: browsers hide the attribute from scripts and selectors. */
export function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
}

/** The scroll lock behind dialogs adds a style element of its own and looks for its nonce here. */
export function shareNonce(): void {
  (globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce();
}
