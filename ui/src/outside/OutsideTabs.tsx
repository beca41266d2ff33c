import { outsideText } from "../messages/outside";
import { Tabs } from "../parts/Tabs";

/** Tabs for triggers, heartbeats and hooks. */
export function OutsideTabs() {
  return (
    <Tabs
      label={outsideText.tabs}
      items={[
        { to: "/triggers", label: outsideText.triggers },
        { to: "/triggers/pings", label: outsideText.pings },
        { to: "/triggers/hooks", label: outsideText.hooks },
      ]}
    />
  );
}
