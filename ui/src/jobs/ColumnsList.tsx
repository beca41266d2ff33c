import { jobText } from "../messages/jobs";
import { MenuCheckItem, MenuDivider, MenuItem } from "../parts/Menu";
import { JOB_COLUMNS } from "./columns";
import { useColumns } from "./useColumns";

export default function ColumnsList() {
  const { columns, toggle, reset } = useColumns();
  return (
    <>
      {JOB_COLUMNS.map((column) => (
        <MenuCheckItem
          key={column}
          kind="checkbox"
          isChecked={columns.includes(column)}
          onClick={() => toggle(column)}
        >
          {jobText.columns[column]}
        </MenuCheckItem>
      ))}
      <MenuDivider />
      <MenuItem onClick={reset}>{jobText.columnsUsual}</MenuItem>
    </>
  );
}
