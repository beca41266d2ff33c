import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { selectText } from "../messages/select";
import { Icon } from "../parts/Icon";
import { Menu } from "../parts/Menu";
import type { ViewPage } from "./views-api";

const ViewsList = lazy(() => import("./ViewsList"));
const ViewDialogs = lazy(() => import("./ViewDialogs"));

/** Views menu: standard views, shared views and the user's own. */
export function ViewsMenu({ page }: { page: ViewPage }) {
  const [openDialog, setOpenDialog] = useState<"save" | "manage">();
  return (
    <>
      <Menu
        label={selectText.views}
        opener={(props) => (
          <Button {...props} variant="default" rightSection={<Icon name="chevron" />}>
            {selectText.views}
          </Button>
        )}
      >
        <ViewsList page={page} onOpen={setOpenDialog} />
      </Menu>
      <Suspense>
        {openDialog && <ViewDialogs kind={openDialog} page={page} onClose={() => setOpenDialog(undefined)} />}
      </Suspense>
    </>
  );
}
