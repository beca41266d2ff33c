import "../styles/mantine-forms";
import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { keys } from "../api/keys";
import { type AuditFilter, readAuditFilter, sinceInstant } from "../app/audit-filter";
import { useSession } from "../app/session";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { ErrorBox, errorToShow } from "../parts/ErrorBox";
import { FilterInput } from "../parts/FilterInput";
import { Icon } from "../parts/Icon";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import table from "../parts/Table.module.css";
import { useTitle } from "../parts/useTitle";
import { hubNow } from "../time/clock";
import { AuditTable } from "./AuditTable";
import { saveAudit } from "./audit-csv";
import { VerificationBox } from "./VerificationBox";

const words = adminText.audit;
const route = getRouteApi("/frame/admin/audit");

export function AuditPage() {
  useTitle(words.title);
  const { api } = useSession();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const entries = useAudit(filter);
  const verify = useMutation({ mutationFn: api.verifyAudit });
  const error = errorToShow(entries.error, entries.data !== undefined);
  const items = entries.data?.pages.flatMap((each) => each.items);

  const setFilter = (change: AuditFilter) =>
    void navigate({
      search: ({ org, tz, ...old }) => ({
        ...(org ? { org } : {}),
        ...(tz ? { tz } : {}),
        ...readAuditFilter({ ...old, ...change }),
      }),
      replace: true,
    });

  return (
    <>
      <div className={page.head}>
        <h1>{words.title}</h1>
        <Button variant="default" loading={verify.isPending} onClick={() => verify.mutate()}>
          {words.verify}
        </Button>
      </div>
      {(verify.data || verify.error) && (
        <div className={page.notice}>
          {verify.error ? (
            <ErrorBox error={verify.error} />
          ) : (
            verify.data && <VerificationBox verdict={verify.data} />
          )}
        </div>
      )}
      <search className={page.bar}>
        <FilterInput
          isFirst
          icon="search"
          label={words.actionLabel}
          placeholder={words.action}
          value={filter.action ?? ""}
          onChange={(action) => setFilter({ action })}
        />
        <FilterInput
          icon="people"
          label={words.actorLabel}
          placeholder={words.actor}
          value={filter.actor ?? ""}
          onChange={(actor) => setFilter({ actor })}
        />
        <NativeSelect
          aria-label={words.since}
          data={words.sinces.map(([value, label]) => ({ value, label }))}
          value={filter.since ?? ""}
          onChange={(event) => setFilter({ since: event.currentTarget.value })}
        />
        <Button
          variant="default"
          leftSection={<Icon name="download" />}
          title={text.hosts.csvNote}
          onClick={() => saveAudit(items ?? [])}
        >
          {text.hosts.csv}
        </Button>
      </search>
      {error && (
        <div className={page.notice}>
          <ErrorBox error={error} onRetry={() => void entries.refetch()} />
        </div>
      )}
      {items && items.length > 0 && <AuditTable entries={items} onFilter={setFilter} />}
      {items?.length === 0 && <p className={page.empty}>{words.empty}</p>}
      {!items && !error && <Skeleton />}
      {entries.hasNextPage && (
        <div className={table.more}>
          <Button
            variant="default"
            loading={entries.isFetchingNextPage}
            onClick={() => void entries.fetchNextPage()}
          >
            {text.common.more}
          </Button>
        </div>
      )}
    </>
  );
}

function useAudit({ actor, action, since }: AuditFilter) {
  const { org, api } = useSession();
  return useInfiniteQuery({
    queryKey: [...keys.audit(org.slug), { actor, action, since }],
    queryFn: ({ pageParam }) =>
      api.audit({ actor, action, since: sinceInstant(since, hubNow()), cursor: pageParam, limit: 100 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  });
}
