import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import { QueryState } from "../admin/QueryState";
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
  /** Texts of the empty list: title, hint, button and CLI command. */
  none: { none: string; noneHint: string; noneAdd: string; noneCli?: string };
  /** Dialog that creates a row, or edits the given one. */
  dialog: (row: T | undefined, onClose: () => void) => ReactNode;
  /** Texts and request of the removal dialog. */
  removal: (row: T) => Removal;
  children: (items: T[], actions: ListActions<T>) => ReactNode;
}

export interface ListActions<T> {
  change: (row: T) => void;
  remove: (row: T) => void;
}

/** Page with one short list, its create and edit dialog, and its removal dialog. */
export function ListPage<T>(props: Props<T>) {
  const { title, tabs, intro, add, refused, query, none, dialog, removal, children } = props;
  /** The edited row; absent for a new one. */
  const [editing, setEditing] = useState<{ row?: T }>();
  const [removing, setRemoving] = useState<T>();
  const actions = { change: (row: T) => setEditing({ row }), remove: (row: T) => setRemoving(() => row) };
  const button = (label: string, isFirst: boolean) => (
    <GatedButton
      refused={refused}
      variant={isFirst ? "default" : "filled"}
      leftSection={<Icon name="plus" />}
      data-create={isFirst ? undefined : true}
      onClick={() => setEditing({})}
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
              action={button(none.noneAdd, true)}
              cli={none.noneCli}
            />
          ) : (
            children(items, actions)
          )
        }
      </QueryState>
      {editing && <Suspense>{dialog(editing.row, () => setEditing(undefined))}</Suspense>}
      {removing !== undefined && (
        <RemovalDialog {...removal(removing)} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}
