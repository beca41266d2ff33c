/** What this browser remembers. Storage can be switched off or full: then nothing is remembered. */
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
      // The choice holds until the page is left.
    }
  },
};
