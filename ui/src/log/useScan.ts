import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useMemo, useRef, useState } from "react";
import type { LogStream } from "../api/model";
import type { FetchLog } from "./log-store";
import { parsePattern, type ScanState, scan, UNSCANNED } from "./search";

const DEBOUNCE_MS = 300;

/** Searches the log in the background and continues with new lines. */
export function useScan(fetchLog: FetchLog, total: number, search: string, stream: LogStream | undefined) {
  const [debounced] = useDebouncedValue(search, DEBOUNCE_MS);
  const pattern = useMemo(() => parsePattern(debounced), [debounced]);
  const [state, setState] = useState<ScanState>(UNSCANNED);
  const latest = useRef(state);
  latest.current = state;
  const isNeeded = Boolean(pattern) || stream !== undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another search or log restarts the scan
  useEffect(() => {
    latest.current = UNSCANNED;
    setState(UNSCANNED);
  }, [fetchLog, pattern, stream]);

  useEffect(() => {
    if (!isNeeded || latest.current.scanned >= total) return;
    const abort = new AbortController();
    const onProgress = (next: ScanState) => {
      latest.current = next;
      setState(next);
    };
    const filter = { pattern: pattern ?? undefined, stream };
    // A failed page is retried when more lines arrive.
    scan(fetchLog, filter, total, latest.current, onProgress, abort.signal).catch(() => {});
    return () => abort.abort();
  }, [fetchLog, pattern, stream, total, isNeeded]);

  return { pattern, state, isScanning: isNeeded && state.scanned < total };
}
