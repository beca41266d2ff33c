import { lazy, Suspense } from "react";
import type { LiveState } from "../api/live";
import type { Membership } from "../api/model";
import { text } from "../messages";
import { Icon } from "../parts/Icon";
import { shortcut } from "../parts/shortcut";
import styles from "./Header.module.css";
import { HostChip } from "./HostChip";
import { LiveDot } from "./LiveDot";
import { OrgSwitcher } from "./OrgSwitcher";
import { open } from "./openers";
import { ThemeSwitch } from "./ThemeSwitch";
import { UserMenu } from "./UserMenu";
import { ZoneChip } from "./ZoneChip";
import type { ZoneControl } from "./zone-choice";

const StandaloneMark = lazy(() => import("./StandaloneMark"));
const UnencryptedMark = lazy(() => import("./UnencryptedMark"));

interface Props {
  orgs: Membership[];
  live: LiveState;
  zone: ZoneControl;
}

export function Header({ orgs, live, zone }: Props) {
  return (
    <header className={styles.header}>
      <OrgSwitcher orgs={orgs} />
      <HostChip />
      <button type="button" className={styles.search} onClick={() => open("palette")}>
        <Icon name="search" />
        <span>{text.frame.search}</span>
        <kbd>{shortcut("K")}</kbd>
      </button>
      <Suspense>
        <UnencryptedMark />
        <StandaloneMark />
      </Suspense>
      <div className={styles.end}>
        <LiveDot state={live} />
        <ZoneChip zone={zone} />
        <ThemeSwitch />
        <UserMenu />
      </div>
    </header>
  );
}
