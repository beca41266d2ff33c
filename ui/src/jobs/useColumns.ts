import { getRouteApi } from "@tanstack/react-router";
import { storage } from "../app/storage";
import { DEFAULT_COLUMNS, type JobColumn, readColumns, toggleColumn, writeColumns } from "./columns";

const route = getRouteApi("/frame/jobs");

/** The columns of the URL, so that shared links show the same table, else the last choice. */
export function useColumns() {
  const { cols } = route.useSearch();
  const navigate = route.useNavigate();
  const columns = readColumns(cols) ?? readColumns(storage.read("job-columns")) ?? DEFAULT_COLUMNS;
  const choose = (next: readonly JobColumn[]) => {
    const serialized = writeColumns(next);
    storage.write("job-columns", serialized);
    void navigate({ search: (old) => ({ ...old, cols: serialized }), replace: true });
  };
  return {
    columns,
    toggle: (column: JobColumn) => choose(toggleColumn(columns, column)),
    reset: () => choose(DEFAULT_COLUMNS),
  };
}
