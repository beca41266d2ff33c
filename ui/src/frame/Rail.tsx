import { Link } from "@tanstack/react-router";
import type { Role } from "../api/model";
import { may } from "../app/roles";
import { useSession } from "../app/session";
import { useHostStatus } from "../hosts/useHostStatus";
import { text } from "../messages";
import { Icon, type IconName } from "../parts/Icon";
import { Logo } from "../parts/Logo";
import styles from "./Rail.module.css";

type Place =
  | "/hosts"
  | "/admin/people"
  | "/admin/tokens"
  | "/admin/join-tokens"
  | "/admin/audit"
  | "/admin/org"
  | "/admin/hub";

const ADMIN: { to: Place; label: string; icon: IconName; needs: Role }[] = [
  { to: "/admin/people", label: text.frame.people, icon: "people", needs: "viewer" },
  { to: "/admin/tokens", label: text.frame.tokens, icon: "key", needs: "viewer" },
  { to: "/admin/join-tokens", label: text.frame.joinTokens, icon: "ticket", needs: "admin" },
  { to: "/admin/audit", label: text.frame.audit, icon: "audit", needs: "admin" },
  { to: "/admin/org", label: text.frame.org, icon: "org", needs: "viewer" },
  { to: "/admin/hub", label: text.frame.hub, icon: "hub", needs: "super_admin" },
];

export function Rail() {
  const { role } = useSession();
  const { total } = useHostStatus();
  return (
    <nav className={styles.rail} aria-label={text.frame.rail}>
      <Link to="/hosts" className={styles.brand}>
        <Logo />
        {text.product}
      </Link>
      <Item to="/hosts" label={text.frame.hosts} icon="hosts" count={total} />
      <p className={styles.group}>{text.frame.admin}</p>
      {ADMIN.filter(({ needs }) => may(role, needs)).map(({ to, label, icon }) => (
        <Item key={to} to={to} label={label} icon={icon} />
      ))}
    </nav>
  );
}

interface ItemProps {
  to: Place;
  label: string;
  icon: IconName;
  count?: number | undefined;
}

function Item({ to, label, icon, count }: ItemProps) {
  return (
    <Link to={to} className={styles.item} activeOptions={{ includeSearch: false }}>
      <Icon name={icon} />
      {label}
      {count !== undefined && <span className={`${styles.count} num`}>{count.toLocaleString("en")}</span>}
    </Link>
  );
}
