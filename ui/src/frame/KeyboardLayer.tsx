import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { isPaused, setPaused } from "../api/live-pause";
import { text } from "../messages";
import { copyText } from "../parts/copy";
import { toast } from "../parts/toasts";
import { keyChoice } from "./bindings";
import { runCommand, useCommands } from "./commands";
import { isTyping, KeyReader } from "./keys";
import { onOpen } from "./openers";
import { clickCreate, moveRow, openRowMenu, selectRow } from "./rows";
import type { ZoneControl } from "./zone-choice";

const KeyHelp = lazy(() => import("./KeyHelp"));
const Palette = lazy(() => import("../palette/Palette"));

/** Handles keys on the whole page. Rows and filters are found by data attributes. */
export function KeyboardLayer({ zone }: { zone: ZoneControl }) {
  const navigate = useNavigate();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const reader = useRef(new KeyReader());

  useEffect(() => onOpen("key-help", () => setHelpOpen(true)), []);
  useEffect(() => onOpen("palette", () => setPaletteOpen(true)), []);

  useCommands({
    filter: () => document.querySelector<HTMLElement>("[data-filter]")?.focus(),
    overview: () => void navigate({ to: "/" }),
    hosts: () => void navigate({ to: "/hosts" }),
    servers: () => void navigate({ to: "/servers" }),
    jobs: () => void navigate({ to: "/jobs" }),
    triggers: () => void navigate({ to: "/triggers" }),
    alerts: () => void navigate({ to: "/alerts" }),
    events: () => void navigate({ to: "/events" }),
    definitions: () => void navigate({ to: "/admin/definitions" }),
    people: () => void navigate({ to: "/admin/people" }),
    audit: () => void navigate({ to: "/admin/audit" }),
    create: () => clickCreate() || navigate({ to: "/run" }),
    next: () => moveRow(1),
    previous: () => moveRow(-1),
    select: () => selectRow(false),
    range: () => selectRow(true),
    menu: () => openRowMenu(),
    link: () => void copyLink(),
    pause: () => setPaused(!isPaused()),
    utc: () => zone.choose(zone.choice === "utc" ? "local" : "utc"),
    help: () => setHelpOpen(true),
  });

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Ctrl K also works while typing in a field.
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setPaletteOpen(true);
        return;
      }
      const { isOff, bindings } = keyChoice();
      if (isOff || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('[role="dialog"], [role="menu"]')) return;
      const command = reader.current.read(event.key, event.timeStamp, bindings);
      if (command && runCommand(command)) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);

  return (
    <Suspense>
      {isHelpOpen && <KeyHelp onClose={() => setHelpOpen(false)} />}
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
    </Suspense>
  );
}

/** Copies the URL of the current view. */
async function copyLink(): Promise<void> {
  const isCopied = await copyText(location.href, document.body.firstElementChild as HTMLElement);
  if (isCopied) toast(text.common.linkCopied);
}
