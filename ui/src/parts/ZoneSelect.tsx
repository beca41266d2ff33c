import { Select } from "@mantine/core";
import { zoneText } from "../messages/zone";

interface Props {
  label: string;
  value: string;
  isReadOnly?: boolean;
  onChange: (zone: string) => void;
}

export function ZoneSelect({ label, value, isReadOnly = false, onChange }: Props) {
  return (
    <Select
      label={label}
      data={zones(value)}
      searchable
      allowDeselect={false}
      readOnly={isReadOnly}
      nothingFoundMessage={zoneText.none}
      value={value}
      onChange={(zone) => zone && onChange(zone)}
    />
  );
}

/** Time zones known to this browser, plus the current value, which it may not know. */
function zones(current: string): string[] {
  return [...new Set(["UTC", current, ...Intl.supportedValuesOf("timeZone")])].sort();
}
