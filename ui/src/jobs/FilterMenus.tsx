import { ViewsMenu } from "../views/ViewsMenu";
import { ColumnsMenu } from "./ColumnsMenu";

/** What can be done with a filter beside writing one. */
export default function FilterMenus() {
  return (
    <>
      <ViewsMenu page="jobs" />
      <ColumnsMenu />
    </>
  );
}
