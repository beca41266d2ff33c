import { basePath } from "../app/base";
import { text } from "../messages";
import { EmptyState } from "../parts/EmptyState";
import { GatedButton } from "../parts/GatedButton";

interface Props {
  refused: string | undefined;
  onAdd: () => void;
}

export function FirstHost({ refused, onAdd }: Props) {
  return (
    <EmptyState title={text.hosts.emptyTitle}>
      <p>{text.hosts.empty}</p>
      <GatedButton variant="default" refused={refused} onClick={onAdd}>
        {text.hosts.add}
      </GatedButton>
      <p className="small">
        {text.hosts.emptyCli}
        <br />
        <code>hostler join {`${location.origin}${basePath}`} TOKEN</code>
      </p>
    </EmptyState>
  );
}
