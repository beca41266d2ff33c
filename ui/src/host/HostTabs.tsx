import { Link } from "@tanstack/react-router";
import { hostTabText } from "../messages/host-tabs";
import tabs from "../parts/Tabs.module.css";
import styles from "./HostPage.module.css";
import { HOST_TABS, type HostTab } from "./tabs";

/** The views of one host, each with its address. */
export function HostTabs({ host, tab }: { host: string; tab: HostTab }) {
  return (
    <nav className={`${tabs.tabs} ${styles.tabs}`} aria-label={hostTabText.label}>
      {HOST_TABS.map((each) => (
        <Link
          key={each}
          to="/hosts/$host"
          params={{ host }}
          search={({ org, tz }) => ({
            ...(org ? { org } : {}),
            ...(tz ? { tz } : {}),
            tab: each,
          })}
          className={tabs.tab}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={each === tab ? "page" : undefined}
        >
          {hostTabText.tabs[each]}
        </Link>
      ))}
    </nav>
  );
}
