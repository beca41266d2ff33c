import { useNavigate, useSearch } from "@tanstack/react-router";

/** The host in the URL, kept across pages until it is cleared. */
export function useHostChoice() {
  const { host } = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    host,
    choose: (next: string | undefined) =>
      // Set even if undefined, because a missing parameter keeps the current host.
      void navigate({ to: ".", search: (old) => ({ ...old, host: next }), replace: true }),
  };
}
