import { Button } from "@mantine/core";
import { text } from "../messages";
import { FilterInput } from "../parts/FilterInput";
import { Icon } from "../parts/Icon";
import page from "../parts/Page.module.css";
import { ViewsMenu } from "../views/ViewsMenu";
import { type HostFilter, isFiltered, readFilter } from "./filter";

interface Props {
  filter: HostFilter;
  onChange: (filter: HostFilter) => void;
  onSave: () => void;
}

export function FilterBar({ filter, onChange, onSave }: Props) {
  return (
    <search className={page.bar}>
      <FilterInput
        isFirst
        icon="search"
        label={text.hosts.filterNameLabel}
        placeholder={text.hosts.filterName}
        value={filter.name ?? ""}
        onChange={(name) => onChange(readFilter({ ...filter, name }))}
      />
      <FilterInput
        icon="label"
        label={text.hosts.filterLabelsLabel}
        placeholder={text.hosts.filterLabels}
        value={filter.labels ?? ""}
        onChange={(labels) => onChange(readFilter({ ...filter, labels }))}
      />
      <ViewsMenu page="hosts" />
      <Button
        variant="default"
        leftSection={<Icon name="download" />}
        title={text.hosts.csvNote}
        onClick={onSave}
      >
        {text.hosts.csv}
      </Button>
      {isFiltered(filter) && (
        <Button variant="default" onClick={() => onChange({})}>
          {text.hosts.clear}
        </Button>
      )}
    </search>
  );
}
