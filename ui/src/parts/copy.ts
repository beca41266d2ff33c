/** Copies a text. Browsers keep the clipboard API from pages on plain HTTP; the old way works there. */
export async function copyText(written: string, near: HTMLElement): Promise<boolean> {
  if (window.isSecureContext && navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(written);
      return true;
    } catch {
      // Permission can be denied even on a secure page.
    }
  }
  return copyBySelection(written, near);
}

/** The helper field stands beside the button: a dialog's focus trap would empty a selection outside it. */
function copyBySelection(written: string, near: HTMLElement): boolean {
  const field = document.createElement("textarea");
  field.value = written;
  field.readOnly = true;
  field.className = "sr-only";
  field.setAttribute("aria-hidden", "true");
  const focused = document.activeElement;
  near.parentElement?.append(field);
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
