import { useMediaQuery } from "@mantine/hooks";

/** Whether rows should become cards. A list of its own, because a table laid out as blocks is no table to readers. */
export function useNarrow(): boolean {
  return useMediaQuery("(max-width: 760px)", undefined, { getInitialValueInEffect: false });
}
