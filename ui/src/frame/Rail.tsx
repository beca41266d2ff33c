import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { Role } from "../api/types";
import { may } from "../app/roles";
import { useSession } from "../app/session";
import { text } from "../messages";
import { Icon, type IconName } from "../parts/Icon";
import { Logo } from "../parts/Logo";
import styles from "./Rail.module.css";

const ADMIN: { to: LinkProps["to"]; label: string; icon: IconName; needs: Role }[] = [
  { to: "/admin/people", label: text.frame.people, icon: "people", needs: "viewer" },
  { to: "/admin/tokens", label: text.frame.tokens, icon: "key", needs: "viewer" },
  { to: "/admin/join-tokens", label: text.frame.joinTokens, icon: "ticket", needs: "admin" },
  { to: "/admin/audit", label: text.frame.audit, icon: "audit", needs: "admin" },
  { to: "/admin/org", label: text.frame.org, icon: "org", needs: "viewer" },
  { to: "/admin/hub", label: text.frame.hub, icon: "hub", needs: "super_admin" },
];

export function Rail() {
  const { role } = useSession();
  const hosts = useHostCount();
  return (
    <nav className={styles.rail} aria-label={text.frame.rail}>
      <Link to="/hosts" className={styles.brand}>
        <Logo />
        {text.product}
      </Link>
      <Item to="/hosts" label={text.frame.hosts} icon="hosts" count={hosts} />
      <p className={styles.group}>{text.frame.admin}</p>
      {ADMIN.filter(({ needs }) => may(role, needs)).map(({ to, label, icon }) => (
        <Item key={to} to={to} label={label} icon={icon} />
      ))}
    </nav>
  );
}

interface ItemProps {
  to: LinkProps["to"];
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

function useHostCount(): number | undefined {
  const { org, api } = useSession();
  const status = useQuery({
    queryKey: keys.status(org.slug),
    queryFn: api.status,
    refetchInterval: usePollInterval(),
  });
  return status.data && Object.values(status.data.hosts).reduce((sum, n) => sum + n, 0);
}
