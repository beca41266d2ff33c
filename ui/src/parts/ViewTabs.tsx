import { Link, type LinkProps } from "@tanstack/react-router";
import tabs from "./Tabs.module.css";
import styles from "./ViewTabs.module.css";

interface Props<T extends string> {
  label: string;
  to: NonNullable<LinkProps["to"]>;
  params: Record<string, string>;
  views: readonly T[];
  words: Record<T, string>;
  view: T;
}

/** Tabs of a detail page, kept in the URL as `?tab=…`. */
export function ViewTabs<T extends string>({ label, to, params, views, words, view }: Props<T>) {
  return (
    <nav className={`${tabs.tabs} ${styles.tabs}`} aria-label={label}>
      {views.map((each) => (
        <Link
          key={each}
          to={to}
          params={params as never}
          search={
            (({ org, tz }: { org?: string; tz?: string }) => ({
              ...(org ? { org } : {}),
              ...(tz ? { tz } : {}),
              tab: each,
            })) as never
          }
          className={tabs.tab}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={each === view ? "page" : undefined}
        >
          {words[each]}
        </Link>
      ))}
    </nav>
  );
}
