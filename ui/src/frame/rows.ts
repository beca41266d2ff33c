/** The row that contains the focus. Rows are found by element and data attribute. */
function focusedRow(): HTMLElement | undefined {
  const row = document.activeElement?.closest<HTMLElement>("tbody[data-job], tr, li");
  return row?.querySelector("[data-row]") ? row : undefined;
}

/** Moves the focus to the next or previous row. */
export function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const current = rows.indexOf(document.activeElement as HTMLElement);
  const next = current < 0 ? (step > 0 ? 0 : rows.length - 1) : current + step;
  rows[next]?.focus();
}

/** Toggles the checkbox of the focused row; Shift selects a range. */
export function selectRow(shiftKey: boolean): boolean {
  const box = focusedRow()?.querySelector('input[type="checkbox"]');
  box?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey }));
  return Boolean(box);
}

export function openRowMenu(): boolean {
  const menu = focusedRow()?.querySelector<HTMLElement>('[aria-haspopup="menu"]');
  menu?.click();
  return Boolean(menu);
}

/** Clicks the create button of the page. */
export function clickCreate(): boolean {
  const button = document.querySelector<HTMLElement>("main [data-create]");
  button?.click();
  return Boolean(button);
}
