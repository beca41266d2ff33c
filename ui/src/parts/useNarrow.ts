import { useMediaQuery } from "@mantine/hooks";

/** Whether to render cards. They are a separate list, because CSS blocks remove the table semantics. */
export function useNarrow(): boolean {
  return useMediaQuery("(max-width: 760px)", undefined, { getInitialValueInEffect: false });
}
