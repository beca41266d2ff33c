import { Button } from "@mantine/core";
import { text } from "../messages";
import { EmptyState } from "../parts/EmptyState";

/** Empty state of a list that the chosen host leaves without rows. */
export function NoRowsOfHost({ host, onClear }: { host: string; onClear: () => void }) {
  return (
    <EmptyState title={text.frame.noHostResults(host)}>
      <Button variant="default" onClick={onClear}>
        {text.frame.hostAll}
      </Button>
    </EmptyState>
  );
}
