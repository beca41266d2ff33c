import { Link } from "@tanstack/react-router";
import type { Alert } from "../api/model";

export function AlertSubject({ alert }: { alert: Alert }) {
  const { subject_kind: kind, subject_name: name, subject_id: id } = alert;
  if (kind === "host") {
    return (
      <Link to="/hosts/$host" params={{ host: name }} data-row>
        {name}
      </Link>
    );
  }
  if (kind === "server") {
    return (
      <Link to="/servers/$server" params={{ server: name }} data-row>
        {name}
      </Link>
    );
  }
  if (kind === "definition") {
    return (
      <Link to="/jobs" search={{ filter: `def:${name} status:failed,dead_letter` }} data-row>
        {name}
      </Link>
    );
  }
  if (kind === "trigger") {
    return (
      <Link to="/triggers/$trigger" params={{ trigger: id }} data-row>
        {name}
      </Link>
    );
  }
  return <span>{name}</span>;
}
