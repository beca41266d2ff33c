import { Link, useLocation } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { countUrgent, useOpenAlerts } from "../alerts/useAlerts";
import { useSession } from "../app/session";
import { useHostStatus } from "../hosts/useHostStatus";
import { text } from "../messages";
import { Icon, type IconName } from "../parts/Icon";
import { Logo } from "../parts/Logo";
import { useTitleMark } from "../parts/useTitle";
import { type PagePath, pageRefusal } from "./pages";
import styles from "./Rail.module.css";

const ADMIN: { to: PagePath; label: string; icon: IconName }[] = [
  { to: "/admin/people", label: text.frame.people, icon: "people" },
  { to: "/admin/tokens", label: text.frame.tokens, icon: "key" },
  { to: "/admin/join-tokens", label: text.frame.joinTokens, icon: "ticket" },
  { to: "/admin/secrets", label: text.frame.secrets, icon: "lock" },
  { to: "/admin/limits", label: text.frame.limits, icon: "pause" },
  { to: "/admin/definitions", label: text.frame.definitions, icon: "definition" },
  { to: "/admin/workers", label: text.frame.workers, icon: "worker" },
  { to: "/admin/sync", label: text.frame.sync, icon: "sync" },
  { to: "/admin/audit", label: text.frame.audit, icon: "audit" },
  { to: "/admin/org", label: text.frame.org, icon: "org" },
  { to: "/admin/hub", label: text.frame.hub, icon: "hub" },
];

export function Rail() {
  const { role } = useSession();
  const { total } = useHostStatus();
  const urgent = countUrgent(useOpenAlerts().data?.items);
  useTitleMark(urgent);
  const { pathname } = useLocation();
  const [isOpen, setOpen] = useState(false);
  // On a narrow screen the rail is a bar with a "More" panel, which closes after navigation.
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the panel
  useEffect(() => setOpen(false), [pathname]);
  return (
    <nav
      className={styles.rail}
      aria-label={text.frame.mainNavigation}
      data-open={isOpen || undefined}
      onKeyDown={({ key }) => key === "Escape" && setOpen(false)}
    >
      <Link to="/" className={styles.brand}>
        <Logo />
        {text.product}
      </Link>
      <Item to="/" label={text.frame.overview} icon="overview" />
      <Item to="/hosts" label={text.frame.hosts} icon="hosts" count={total} />
      <Item to="/servers" label={text.frame.servers} icon="server" isMore />
      <Item to="/jobs" label={text.frame.jobs} icon="jobs" />
      <Item to="/triggers" label={text.frame.triggers} icon="clock" isMore />
      <Item to="/alerts" label={text.frame.alerts} icon="alert" count={urgent || undefined} isHighlighted />
      <p className={styles.group}>{text.frame.admin}</p>
      {ADMIN.filter(({ to }) => !pageRefusal(role, to)).map(({ to, label, icon }) => (
        <Item key={to} to={to} label={label} icon={icon} isMore />
      ))}
      <button
        type="button"
        className={`${styles.item} ${styles.more}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="dots" />
        {text.frame.more}
      </button>
    </nav>
  );
}

interface ItemProps {
  to: PagePath;
  label: string;
  icon: IconName;
  count?: number | undefined;
  /** Highlights the count because it needs attention. */
  isHighlighted?: boolean;
  /** Shown behind "More" on narrow screens. */
  isMore?: boolean;
}

function Item({ to, label, icon, count, isHighlighted = false, isMore = false }: ItemProps) {
  return (
    <Link
      to={to}
      className={styles.item}
      data-more={isMore || undefined}
      activeOptions={{ includeSearch: false, exact: to === "/" }}
    >
      <Icon name={icon} />
      {label}
      {count !== undefined && (
        <span className={`${styles.count} num`} data-highlighted={isHighlighted || undefined}>
          {count.toLocaleString("en")}
        </span>
      )}
    </Link>
  );
}
