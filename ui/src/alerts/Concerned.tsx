import { Link } from "@tanstack/react-router";
import type { Alert } from "../api/model";
import { alertText } from "../messages/alerts";
import { concernOf } from "./concerns";
import { useJobCount } from "./useJobCount";

/** Link to the jobs of an alert with their count; renders nothing without jobs. */
export function Concerned({ alert }: { alert: Alert }) {
  const concern = concernOf(alert);
  const found = useJobCount(concern?.filter);
  if (!concern || !found || found.count === 0) return null;
  return (
    <Link to="/jobs" search={{ filter: concern.filter }}>
      {alertText.concern[concern.kind](found.count, found.isMore)}
    </Link>
  );
}
