import { useSession } from "../app/session";
import { text } from "../messages";
import { Icon } from "../parts/Icon";
import { localZone, type ZoneChoice } from "../time/zone";
import { ChoiceMenu } from "./ChoiceMenu";
import styles from "./Header.module.css";
import type { ZoneControl } from "./zone-choice";

const SHORT: Record<ZoneChoice, string> = {
  local: text.frame.zoneLocal,
  utc: text.frame.zoneUtc,
  org: text.frame.zoneOrg,
};

export function ZoneChip({ zone }: { zone: ZoneControl }) {
  const { org } = useSession();
  const names: Record<ZoneChoice, string> = { local: localZone(), utc: "UTC", org: org.timezone };
  const zoneLabel = zone.choice === "org" ? org.timezone : SHORT[zone.choice];
  return (
    <ChoiceMenu
      opener={(props) => (
        <button {...props} type="button" className={styles.chip} aria-label={text.frame.zone(zoneLabel)}>
          <span>{zoneLabel}</span>
          <Icon name="chevron" />
        </button>
      )}
      title={text.frame.zones}
      choices={[
        { value: "local", label: SHORT.local, note: names.local },
        { value: "utc", label: SHORT.utc },
        { value: "org", label: SHORT.org, note: names.org },
      ]}
      selected={zone.choice}
      onChoose={zone.choose}
    />
  );
}
