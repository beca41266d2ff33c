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
  const [asked, setAsked] = useState<"save" | "manage">();
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
        <ViewsList page={page} onAsk={setAsked} />
      </Menu>
      <Suspense>
        {asked && <ViewDialogs asked={asked} page={page} onClose={() => setAsked(undefined)} />}
      </Suspense>
    </>
  );
}
