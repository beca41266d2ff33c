import { type ListFilter, readListFilter } from "../parts/filter-terms";
import { readColumns, writeColumns } from "./columns";

/** Filter and columns of the list in the URL. */
export interface JobFilter extends ListFilter {
  cols?: string;
}

export function readJobFilter(search: Record<string, unknown>): JobFilter {
  const columns = readColumns(search.cols);
  return { ...readListFilter(search), ...(columns ? { cols: writeColumns(columns) } : {}) };
}
