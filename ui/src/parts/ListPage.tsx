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
  /** One sentence about the page. */
  intro?: string;
  add: string;
  /** Why the user may not change the list; `undefined` if they may. */
  refused: string | undefined;
  query: UseQueryResult<{ items: T[] }>;
  /** Texts of the empty list, with the CLI command that creates an item. */
  none: { none: string; noneHint: string; noneCli?: string };
  /** Dialog that creates a row, or edits the given one. */
  dialog: (row: T | undefined, onClose: () => void) => ReactNode;
  /** Texts and request of the removal dialog. */
  removal: (row: T) => Removal;
  children: (items: T[], acts: ListActs<T>) => ReactNode;
}

export interface ListActs<T> {
  change: (row: T) => void;
  remove: (row: T) => void;
}

/** Page with one short list, its create and edit dialog, and its removal dialog. */
export function ListPage<T>(props: Props<T>) {
  const { title, tabs, intro, add, refused, query, none, dialog, removal, children } = props;
  /** The edited row; absent for a new one. */
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
