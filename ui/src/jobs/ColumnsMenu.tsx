import { Button, Menu } from "@mantine/core";
import { lazy, Suspense } from "react";
import { jobText } from "../messages/jobs";
import { Icon } from "../parts/Icon";
import { useNarrow } from "../parts/useNarrow";

const ColumnsList = lazy(() => import("./ColumnsList"));

/** Which columns the table has. */
export function ColumnsMenu() {
  // Cards show what fits.
  if (useNarrow()) return null;
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" rightSection={<Icon name="chevron" />}>
          {jobText.columnsMenu}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Suspense>
          <ColumnsList />
        </Suspense>
      </Menu.Dropdown>
    </Menu>
  );
}
