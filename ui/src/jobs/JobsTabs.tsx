import { jobText } from "../messages/jobs";
import { Tabs } from "../parts/Tabs";

/** Jobs, what set them off, and what was done to many of them. */
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
