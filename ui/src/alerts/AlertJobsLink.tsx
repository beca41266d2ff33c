import { Link } from "@tanstack/react-router";
import type { Alert } from "../api/model";
import { alertText } from "../messages/alerts";
import { jobsOfAlert } from "./alert-jobs";
import { useJobCount } from "./useJobCount";

/** Link to the jobs of an alert with their count; renders nothing without jobs. */
export function AlertJobsLink({ alert }: { alert: Alert }) {
  const alertJobs = jobsOfAlert(alert);
  const counted = useJobCount(alertJobs?.filter);
  if (!alertJobs || !counted || counted.count === 0) return null;
  return (
    <Link to="/jobs" search={{ filter: alertJobs.filter }}>
      {alertText.jobs[alertJobs.kind](counted.count, counted.isMore)}
    </Link>
  );
}
