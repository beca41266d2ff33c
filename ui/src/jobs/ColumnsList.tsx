import { Menu } from "@mantine/core";
import { jobText } from "../messages/jobs";
import { Icon } from "../parts/Icon";
import { JOB_COLUMNS } from "./columns";
import { useColumns } from "./useColumns";

export default function ColumnsList() {
  const { columns, toggle, reset } = useColumns();
  return (
    <>
      {JOB_COLUMNS.map((column) => (
        <Menu.CheckboxItem
          key={column}
          checked={columns.includes(column)}
          checkIcon={<Icon name="check" />}
          onChange={() => toggle(column)}
        >
          {jobText.columns[column]}
        </Menu.CheckboxItem>
      ))}
      <Menu.Divider />
      <Menu.Item onClick={reset}>{jobText.columnsUsual}</Menu.Item>
    </>
  );
}
