import { Button } from "@mantine/core";
import { lazy } from "react";
import { jobText } from "../messages/jobs";
import { Icon } from "../parts/Icon";
import { Menu } from "../parts/Menu";
import { useNarrow } from "../parts/useNarrow";

const ColumnsList = lazy(() => import("./ColumnsList"));

/** Menu that selects the columns of the job table. */
export function ColumnsMenu() {
  // The card layout has no columns.
  if (useNarrow()) return null;
  return (
    <Menu
      label={jobText.columnsMenu}
      opener={(props) => (
        <Button {...props} variant="default" rightSection={<Icon name="chevron" />}>
          {jobText.columnsMenu}
        </Button>
      )}
    >
      <ColumnsList />
    </Menu>
  );
}
