import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { isPaused, setPaused } from "../api/live-pause";
import { type Command, isTyping, KeyReader } from "./keys";
import { onOpen } from "./openers";
import type { ZoneControl } from "./zone-choice";

const KeyHelp = lazy(() => import("./KeyHelp"));
const Palette = lazy(() => import("../palette/Palette"));

/** Listens for keys on the whole page. Rows and filters take part by a data attribute. */
export function KeyboardLayer({ zone }: { zone: ZoneControl }) {
  const navigate = useNavigate();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const reader = useRef(new KeyReader());

  useEffect(() => onOpen("key-help", () => setHelpOpen(true)), []);
  useEffect(() => onOpen("palette", () => setPaletteOpen(true)), []);

  useEffect(() => {
    const run: Record<Command, () => void> = {
      filter: () => document.querySelector<HTMLElement>("[data-filter]")?.focus(),
      overview: () => void navigate({ to: "/" }),
      hosts: () => void navigate({ to: "/hosts" }),
      servers: () => void navigate({ to: "/servers" }),
      jobs: () => void navigate({ to: "/jobs" }),
      triggers: () => void navigate({ to: "/triggers" }),
      alerts: () => void navigate({ to: "/alerts" }),
      events: () => void navigate({ to: "/events" }),
      definitions: () => void navigate({ to: "/admin/definitions" }),
      create: () => void navigate({ to: "/run" }),
      pause: () => setPaused(!isPaused()),
      people: () => void navigate({ to: "/admin/people" }),
      audit: () => void navigate({ to: "/admin/audit" }),
      next: () => moveRow(1),
      previous: () => moveRow(-1),
      utc: () => zone.choose(zone.choice === "utc" ? "local" : "utc"),
      help: () => setHelpOpen(true),
    };
    const onKey = (event: KeyboardEvent) => {
      // Works everywhere, also while something is typed.
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setPaletteOpen(true);
        return;
      }
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

  return (
    <Suspense>
      {isHelpOpen && <KeyHelp onClose={() => setHelpOpen(false)} />}
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
    </Suspense>
  );
}

function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const present = rows.indexOf(document.activeElement as HTMLElement);
  const next = present < 0 ? (step > 0 ? 0 : rows.length - 1) : present + step;
  rows[next]?.focus();
}
