/** CSP nonce of this page. Read as a property, because browsers hide the attribute from scripts. */
export function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
}

/** The scroll lock of dialogs adds a style element and reads its nonce from here. */
export function shareNonce(): void {
  (globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce();
}
