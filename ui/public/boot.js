// Runs before the first paint, as a file of its own: the policy allows no inline script,
// and a module would come too late to keep a dark page from flashing white.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem("hostler-color-scheme");
  } catch {
    // Storage can be switched off; the system's choice is as good.
  }
  const isDark =
    stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", isDark ? "dark" : "light");
})();
