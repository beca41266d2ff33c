import { useNavigate, useSearch } from "@tanstack/react-router";

/** The host in the address; it stays there from page to page until it is given up. */
export function useHostChoice() {
  const { host } = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    host,
    choose: (next: string | undefined) =>
      // Named even when given up: what is not named is kept.
      void navigate({ to: ".", search: (old) => ({ ...old, host: next }), replace: true }),
  };
}
