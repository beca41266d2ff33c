import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { useState } from "react";
import { keys } from "../api/keys";
import { may } from "../app/roles";
import { useSession } from "../app/session";
import { storage } from "../app/storage";
import { useHostStatus } from "../hosts/useHostStatus";
import { JobGlyph } from "../jobs/JobGlyph";
import { useJobSummary } from "../jobs/useJobs";
import { overviewText } from "../messages/overview";
import styles from "./FirstRun.module.css";

const { steps: words, hints } = overviewText;

/** Setup steps of a new hub; hidden once all are done or dismissed. */
export function FirstRun() {
  const { org, api, role } = useSession();
  const [isDismissed, setDismissed] = useState(storage.read("first-run") === "dismissed");
  const isShown = !isDismissed && may(role, "admin");
  const hosts = useHostStatus();
  const summary = useJobSummary();
  const triggers = useQuery({ queryKey: keys.triggers(org.slug), queryFn: api.triggers, enabled: isShown });
  const channels = useQuery({ queryKey: keys.channels(org.slug), queryFn: api.channels, enabled: isShown });
  if (!isShown || hosts.total === undefined || !summary || !triggers.data || !channels.data) return null;
  const { queued: _, ...started } = summary.counts;
  const hasRun = Object.values(started).some((count) => count > 0);
  const steps: {
    name: string;
    hint: string;
    isDone: boolean;
    to: NonNullable<LinkProps["to"]>;
    search?: object;
  }[] = [
    { name: words.hub, hint: hints.hub, isDone: true, to: "/admin/hub" },
    {
      name: hosts.total === 0 ? words.firstHost : words.host,
      hint: hints.host,
      isDone: hosts.total > 1,
      to: "/hosts",
    },
    { name: words.run, hint: hints.run, isDone: hasRun, to: "/run", search: { def: "hello" } },
    {
      name: words.schedule,
      hint: hints.schedule,
      isDone: triggers.data.items.length > 0,
      to: "/triggers/new",
    },
    {
      name: words.channel,
      hint: hints.channel,
      isDone: channels.data.items.some(({ last_ok_at }) => Boolean(last_ok_at)),
      to: "/alerts/channels",
    },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <section className={styles.steps} aria-labelledby="first-run">
      <div className={styles.stepsHeader}>
        <h2 id="first-run">{overviewText.getStarted}</h2>
        <span className="dim small num">
          {overviewText.progress(steps.filter(({ isDone }) => isDone).length, steps.length)}
        </span>
        <Button
          variant="subtle"
          onClick={() => {
            storage.write("first-run", "dismissed");
            setDismissed(true);
          }}
        >
          {overviewText.dismiss}
        </Button>
      </div>
      <ol className={styles.stepList}>
        {steps.map(({ name, hint, isDone, to, search }) => (
          <li key={name} className={styles.step} data-done={isDone || undefined}>
            <JobGlyph status={isDone ? "succeeded" : "queued"} />
            <span className={styles.stepName}>
              <span className="sr-only">{isDone ? overviewText.done : overviewText.toDo}: </span>
              {isDone ? (
                name
              ) : (
                <Link to={to} search={(search ?? {}) as never}>
                  {name}
                </Link>
              )}
            </span>
            <span className={styles.hint}>{hint}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
