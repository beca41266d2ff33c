import { Button } from "@mantine/core";
import { text } from "../messages";
import { EmptyState } from "../parts/EmptyState";

export function NoMatch({ total, onClear }: { total: number; onClear: () => void }) {
  return (
    <EmptyState title={text.hosts.noMatch(total)}>
      <Button variant="default" onClick={onClear}>
        {text.hosts.clear}
      </Button>
    </EmptyState>
  );
}
