import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useCallback } from "react";
import { ApiError } from "../api/client";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { jobText } from "../messages/jobs";
import { selectText } from "../messages/select";
import page from "../parts/Page.module.css";
import { SuggestInput } from "../parts/SuggestInput";

/** Loaded after the first page. */
const FilterMenus = lazy(() => import("./FilterMenus"));

interface Props {
  filter: string | undefined;
  error: Error | null;
  onChange: (filter: string) => void;
}

export function JobFilterBar({ filter, error, onChange }: Props) {
  const vocabulary = useVocabulary();
  const words = useQuery({
    queryKey: ["job-words"],
    queryFn: () => import("./job-completion"),
    staleTime: Infinity,
  });
  const complete = words.data?.completeJobFilter;
  const suggest = useCallback(
    (text: string, caret: number) => complete?.(text, caret, vocabulary) ?? { from: 0, to: 0, values: [] },
    [complete, vocabulary],
  );
  const isBadFilter = error instanceof ApiError && error.code === "filter_invalid";
  return (
    <search className={page.bar}>
      <SuggestInput
        label={jobText.filterLabel}
        placeholder={jobText.filterHint}
        value={filter ?? ""}
        onChange={onChange}
        suggest={suggest}
        error={isBadFilter ? error.message : undefined}
      />
      <Suspense
        fallback={
          <Button variant="default" disabled>
            {selectText.views}
          </Button>
        }
      >
        <FilterMenus />
      </Suspense>
      {filter && (
        <Button variant="default" onClick={() => onChange("")}>
          {jobText.clear}
        </Button>
      )}
    </search>
  );
}

const NAMES_MS = 60_000;

function useVocabulary() {
  const { org, api } = useSession();
  const definitions = useQuery({
    queryKey: keys.definitions(org.slug),
    queryFn: api.definitions,
    staleTime: NAMES_MS,
    select: (data) => data.items.map(({ key }) => key),
  });
  const hosts = useQuery({
    queryKey: [...keys.hosts(org.slug), "names"],
    queryFn: async ({ signal }) =>
      (
        await api.hosts(
          { status: undefined, labels: undefined, name: undefined, cursor: undefined, limit: 200 },
          signal,
        )
      ).items.map(({ name }) => name),
    staleTime: NAMES_MS,
  });
  return { definitions: definitions.data ?? [], hosts: hosts.data ?? [] };
}
