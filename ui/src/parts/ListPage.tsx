import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import { QueryState } from "../admin/QueryState";
import { text } from "../messages";
import { EmptyState } from "./EmptyState";
import { GatedButton } from "./GatedButton";
import { Icon } from "./Icon";
import page from "./Page.module.css";
import { type Removal, RemovalDialog } from "./RemovalDialog";

interface Props<T> {
  title: string;
  tabs?: ReactNode;
  /** What the page is about, in a sentence. */
  intro?: string;
  add: string;
  /** Why somebody may not change the list; nothing if they may. */
  refused: string | undefined;
  query: UseQueryResult<{ items: T[] }>;
  /** What is said while there are none, with the line that makes one. */
  none: { none: string; noneHint: string; noneCli?: string };
  /** Makes a row, or changes one. */
  dialog: (row: T | undefined, onClose: () => void) => ReactNode;
  /** What is asked before a row goes. */
  removal: (row: T) => Removal;
  children: (items: T[], acts: ListActs<T>) => ReactNode;
}

/** What the rows of a list can ask for. */
export interface ListActs<T> {
  change: (row: T) => void;
  remove: (row: T) => void;
}

/** A page with one short list, one thing to add to it, and the dialogs of both. */
export function ListPage<T>(props: Props<T>) {
  const { title, tabs, intro, add, refused, query, none, dialog, removal, children } = props;
  /** The row that is changed, or none for a new one. */
  const [asked, setAsked] = useState<{ row?: T }>();
  const [removed, setRemoved] = useState<T>();
  const acts = { change: (row: T) => setAsked({ row }), remove: (row: T) => setRemoved(() => row) };
  const button = (label: string, isFirst: boolean) => (
    <GatedButton
      refused={refused}
      variant={isFirst ? "default" : "filled"}
      leftSection={<Icon name="plus" />}
      data-create={isFirst ? undefined : true}
      onClick={() => setAsked({})}
    >
      {label}
    </GatedButton>
  );
  return (
    <>
      <div className={page.head}>
        <h1>{title}</h1>
        {tabs}
        {button(add, false)}
      </div>
      {intro && <p className={page.intro}>{intro}</p>}
      <QueryState query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              title={none.none}
              hint={none.noneHint}
              action={button(text.common.first, true)}
              cli={none.noneCli}
            />
          ) : (
            children(items, acts)
          )
        }
      </QueryState>
      {asked && <Suspense>{dialog(asked.row, () => setAsked(undefined))}</Suspense>}
      {removed !== undefined && <RemovalDialog {...removal(removed)} onClose={() => setRemoved(undefined)} />}
    </>
  );
}
