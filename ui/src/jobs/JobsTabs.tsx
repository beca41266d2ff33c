import { jobText } from "../messages/jobs";
import { Tabs } from "../parts/Tabs";

/** Tabs for jobs, events and batches. */
export function JobsTabs() {
  return (
    <Tabs
      label={jobText.tabs}
      items={[
        { to: "/jobs", label: jobText.list },
        { to: "/events", label: jobText.events },
        { to: "/batches", label: jobText.batches },
      ]}
    />
  );
}
