import { alertText } from "../messages/alerts";
import { Tabs } from "../parts/Tabs";

export function AlertsTabs() {
  return (
    <Tabs
      label={alertText.tabs}
      items={[
        { to: "/alerts", label: alertText.list },
        { to: "/alerts/channels", label: alertText.channels },
        { to: "/alerts/rules", label: alertText.rules },
        { to: "/alerts/maintenance", label: alertText.windows },
        { to: "/alerts/deliveries", label: alertText.notices },
      ]}
    />
  );
}
