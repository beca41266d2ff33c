import { type ListFilter, readListFilter } from "../parts/filter-terms";
import { readColumns, writeColumns } from "./columns";

/** The filter of the list as it stands in the address, and its columns. */
export interface JobFilter extends ListFilter {
  cols?: string;
}

export function readJobFilter(search: Record<string, unknown>): JobFilter {
  const columns = readColumns(search.cols);
  return { ...readListFilter(search), ...(columns ? { cols: writeColumns(columns) } : {}) };
}
