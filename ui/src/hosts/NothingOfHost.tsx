import { Button } from "@mantine/core";
import { text } from "../messages";
import { EmptyState } from "../parts/EmptyState";

/** A list that the choice of a host in the header leaves empty. */
export function NothingOfHost({ host, onClear }: { host: string; onClear: () => void }) {
  return (
    <EmptyState title={text.frame.hostNothing(host)}>
      <Button variant="default" onClick={onClear}>
        {text.frame.hostAll}
      </Button>
    </EmptyState>
  );
}
