// Runs before the first paint. A separate file, because the content policy allows no inline scripts,
// and a module would run too late to keep a dark page from flashing white.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem("hostler-color-scheme");
  } catch {
    // Storage can be disabled: use the color scheme of the system.
  }
  const isDark =
    stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", isDark ? "dark" : "light");
})();
