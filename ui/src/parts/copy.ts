/** Copies a text. Falls back to `execCommand`, because browsers hide the clipboard API from plain HTTP pages. */
export async function copyText(text: string, anchor: HTMLElement): Promise<boolean> {
  if (window.isSecureContext && navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Permission can be denied even on a secure page: use the fallback.
    }
  }
  return copyBySelection(text, anchor);
}

/** The helper field is inserted next to the button: a dialog's focus trap clears selections outside of it. */
function copyBySelection(text: string, anchor: HTMLElement): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "sr-only";
  field.setAttribute("aria-hidden", "true");
  const focused = document.activeElement;
  anchor.parentElement?.append(field);
  field.select();
  let isDone = false;
  try {
    isDone = document.execCommand("copy");
  } catch {
    isDone = false;
  }
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isDone;
}
