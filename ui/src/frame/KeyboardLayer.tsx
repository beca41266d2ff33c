import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { onKeyHelp } from "./key-help";
import { type Command, isTyping, KeyReader } from "./keys";
import type { ZoneControl } from "./zone-choice";

const KeyHelp = lazy(() => import("./KeyHelp"));

/** Listens for keys on the whole page. Rows and filters take part by a data attribute. */
export function KeyboardLayer({ zone }: { zone: ZoneControl }) {
  const navigate = useNavigate();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const reader = useRef(new KeyReader());

  useEffect(() => onKeyHelp(() => setHelpOpen(true)), []);

  useEffect(() => {
    const run: Record<Command, () => void> = {
      filter: () => document.querySelector<HTMLElement>("[data-filter]")?.focus(),
      hosts: () => void navigate({ to: "/hosts" }),
      people: () => void navigate({ to: "/admin/people" }),
      audit: () => void navigate({ to: "/admin/audit" }),
      next: () => moveRow(1),
      previous: () => moveRow(-1),
      utc: () => zone.choose(zone.choice === "utc" ? "local" : "utc"),
      help: () => setHelpOpen(true),
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('[role="dialog"], [role="menu"]')) return;
      const command = reader.current.read(event.key, event.timeStamp);
      if (!command) return;
      event.preventDefault();
      run[command]();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [navigate, zone]);

  if (!isHelpOpen) return null;
  return (
    <Suspense>
      <KeyHelp onClose={() => setHelpOpen(false)} />
    </Suspense>
  );
}

function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const present = rows.indexOf(document.activeElement as HTMLElement);
  const next = present < 0 ? (step > 0 ? 0 : rows.length - 1) : present + step;
  rows[next]?.focus();
}
