/** Local storage. Errors are ignored, because storage can be disabled or full. */
export const storage = {
  read(key: string): string | null {
    try {
      return localStorage.getItem(`hostler-${key}`);
    } catch {
      return null;
    }
  },
  write(key: string, value: string): void {
    try {
      localStorage.setItem(`hostler-${key}`, value);
    } catch {
      // The choice is kept in memory until the page is closed.
    }
  },
};
