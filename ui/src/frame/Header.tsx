import type { LiveState } from "../api/live";
import type { Membership } from "../api/model";
import styles from "./Header.module.css";
import { LiveDot } from "./LiveDot";
import { OrgSwitcher } from "./OrgSwitcher";
import { PlainMark } from "./PlainMark";
import { ThemeSwitch } from "./ThemeSwitch";
import { UserMenu } from "./UserMenu";
import { ZoneChip } from "./ZoneChip";
import type { ZoneControl } from "./zone-choice";

interface Props {
  orgs: Membership[];
  live: LiveState;
  zone: ZoneControl;
}

export function Header({ orgs, live, zone }: Props) {
  return (
    <header className={styles.header}>
      <OrgSwitcher orgs={orgs} />
      <PlainMark />
      <div className={styles.end}>
        <LiveDot state={live} />
        <ZoneChip zone={zone} />
        <ThemeSwitch />
        <UserMenu />
      </div>
    </header>
  );
}
