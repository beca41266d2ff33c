import { Select } from "@mantine/core";
import { zoneText } from "../messages/zone";

interface Props {
  label: string;
  value: string;
  isReadOnly?: boolean;
  onChange: (zone: string) => void;
}

/** One of the zones that clocks can show. */
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

/** The zones this browser knows, plus the one in force, which it may not. */
function zones(present: string): string[] {
  return [...new Set(["UTC", present, ...Intl.supportedValuesOf("timeZone")])].sort();
}
