import { getRouteApi } from "@tanstack/react-router";
import { storage } from "../app/storage";
import { type JobColumn, readColumns, toggleColumn, USUAL_COLUMNS, writeColumns } from "./columns";

const route = getRouteApi("/frame/jobs");

/** The columns of the URL, so that shared links show the same table, else the last choice. */
export function useColumns() {
  const { cols } = route.useSearch();
  const navigate = route.useNavigate();
  const columns = readColumns(cols) ?? readColumns(storage.read("job-columns")) ?? USUAL_COLUMNS;
  const choose = (next: readonly JobColumn[]) => {
    const written = writeColumns(next);
    storage.write("job-columns", written);
    void navigate({ search: (old) => ({ ...old, cols: written }), replace: true });
  };
  return {
    columns,
    toggle: (column: JobColumn) => choose(toggleColumn(columns, column)),
    reset: () => choose(USUAL_COLUMNS),
  };
}
