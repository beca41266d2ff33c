import { ViewsMenu } from "../views/ViewsMenu";
import { ColumnsMenu } from "./ColumnsMenu";

/** Column and view menus next to the filter field. */
export default function FilterMenus() {
  return (
    <>
      <ViewsMenu page="jobs" />
      <ColumnsMenu />
    </>
  );
}
