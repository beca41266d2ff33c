import { triggerText } from "../messages/triggers";
import { Tabs } from "../parts/Tabs";

/** Tabs for triggers, pings and hooks. */
export function TriggersTabs() {
  return (
    <Tabs
      label={triggerText.tabs}
      items={[
        { to: "/triggers", label: triggerText.list },
        { to: "/triggers/pings", label: triggerText.pings },
        { to: "/triggers/hooks", label: triggerText.hooks },
      ]}
    />
  );
}
