import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { QueryState } from "../admin/QueryState";
import { EmptyState } from "./EmptyState";
import { GatedButton } from "./GatedButton";
import { Icon } from "./Icon";
import page from "./Page.module.css";

interface Props<T> {
  title: string;
  tabs?: ReactNode;
  /** What the page is about, in a sentence. */
  intro?: string;
  add: string;
  /** Why somebody may not add one; nothing if they may. */
  refused: string | undefined;
  onAdd: () => void;
  query: UseQueryResult<{ items: T[] }>;
  /** What is said while there are none, with the line that makes one. */
  none: { none: string; noneHint: string; noneCli?: string };
  children: (items: T[]) => ReactNode;
}

/** A page with one short list and one thing to add to it. */
export function ListPage<T>({ title, tabs, intro, add, refused, onAdd, query, none, children }: Props<T>) {
  return (
    <>
      <div className={page.head}>
        <h1>{title}</h1>
        {tabs}
        <GatedButton refused={refused} data-create leftSection={<Icon name="plus" />} onClick={onAdd}>
          {add}
        </GatedButton>
      </div>
      {intro && <p className={page.intro}>{intro}</p>}
      <QueryState query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={none.none}>
              <p>{none.noneHint}</p>
              {none.noneCli && <code>{none.noneCli}</code>}
            </EmptyState>
          ) : (
            children(items)
          )
        }
      </QueryState>
    </>
  );
}
