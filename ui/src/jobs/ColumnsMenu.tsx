import { Button } from "@mantine/core";
import { lazy } from "react";
import { jobText } from "../messages/jobs";
import { Icon } from "../parts/Icon";
import { Menu } from "../parts/Menu";
import { useNarrow } from "../parts/useNarrow";

const ColumnsList = lazy(() => import("./ColumnsList"));

/** Which columns the table has. */
export function ColumnsMenu() {
  // Cards show what fits.
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
