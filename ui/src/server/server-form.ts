import { ApiError } from "../api/client";
import type { ReadyKind, RestartPolicy, Server, ServerReady, ServerRequest, ServerSpec } from "../api/model";
import { joinWords, splitWords } from "../parts/shell-words";

export type Amount = number | "";

export interface EnvRow {
  id: number;
  name: string;
  value: string;
}

export interface ServerForm {
  name: string;
  host: string;
  source: "argv" | "definition";
  command: string;
  definition: string;
  payload: unknown;
  folder: string;
  env: EnvRow[];
  user: string;
  ports: string;
  readyKind: ReadyKind;
  readyHost: string;
  readyPort: Amount;
  readyUrl: string;
  readyContains: string;
  readyCommand: string;
  readyTimeout: Amount;
  stopCommand: string;
  stopCommandSeconds: Amount;
  stopSignal: string;
  stopSignalSeconds: Amount;
  policy: RestartPolicy;
  firstSeconds: Amount;
  capSeconds: Amount;
  loopAfter: Amount;
  stableSeconds: Amount;
  autostart: boolean;
  console: boolean;
  memoryMib: Amount;
  cpuPercent: Amount;
  processes: Amount;
  logMib: Amount;
  logDays: Amount;
}

const MIB = 1024 * 1024;

/** Defaults of the hub, see `docs/servers.md`. */
export const DEFAULTS: ServerSpec = {
  argv: [],
  env: {},
  ports: [],
  ready: { kind: "up", timeout_seconds: 60 },
  stop: { command_seconds: 30, signal: "TERM", signal_seconds: 10 },
  restart: { policy: "on_failure", first_seconds: 1, cap_seconds: 300, loop_after: 5, stable_seconds: 60 },
  autostart: false,
  console: true,
  caps: {},
  log: { bytes: 64 * MIB, days: 14 },
};

export function formOf(spec: ServerSpec, name = "", host = ""): ServerForm {
  const { ready, stop, restart, caps, log } = spec;
  return {
    name,
    host,
    source: spec.definition_key ? "definition" : "argv",
    command: joinWords(spec.argv),
    definition: spec.definition_key ?? "",
    payload: spec.payload ?? {},
    folder: spec.folder ?? "",
    env: Object.entries(spec.env).map(([key, value], id) => ({ id, name: key, value })),
    user: spec.user ?? "",
    ports: spec.ports.join(", "),
    readyKind: ready.kind,
    readyHost: ready.host ?? "",
    readyPort: ready.port ?? "",
    readyUrl: ready.url ?? "",
    readyContains: ready.contains ?? "",
    readyCommand: joinWords(ready.argv ?? []),
    readyTimeout: ready.timeout_seconds,
    stopCommand: stop.command ?? "",
    stopCommandSeconds: stop.command_seconds,
    stopSignal: stop.signal,
    stopSignalSeconds: stop.signal_seconds,
    policy: restart.policy,
    firstSeconds: restart.first_seconds,
    capSeconds: restart.cap_seconds,
    loopAfter: restart.loop_after,
    stableSeconds: restart.stable_seconds,
    autostart: spec.autostart,
    console: spec.console,
    memoryMib: caps.memory_bytes ? Math.round(caps.memory_bytes / MIB) : "",
    cpuPercent: caps.cpu_percent ?? "",
    processes: caps.processes ?? "",
    logMib: Math.max(1, Math.round(log.bytes / MIB)),
    logDays: log.days,
  };
}

/** Settings of a form; `null` removes a setting. */
export function settingsOf(form: ServerForm): Omit<ServerRequest, "name" | "host"> {
  const { ready, stop, restart, log } = DEFAULTS;
  const process =
    form.source === "argv"
      ? { argv: splitWords(form.command) ?? [] }
      : { definition_key: form.definition, payload: form.payload };
  return {
    ...process,
    folder: form.folder.trim() || null,
    env: Object.fromEntries(
      form.env.filter(({ name }) => name.trim()).map(({ name, value }) => [name.trim(), value]),
    ),
    user: form.user.trim() || null,
    ports: portsOf(form.ports) ?? [],
    ready: { ...checkOf(form), timeout_seconds: amountOr(form.readyTimeout, ready.timeout_seconds) },
    stop: {
      ...(form.stopCommand ? { command: form.stopCommand } : {}),
      command_seconds: amountOr(form.stopCommandSeconds, stop.command_seconds),
      signal: form.stopSignal,
      signal_seconds: amountOr(form.stopSignalSeconds, stop.signal_seconds),
    },
    restart: {
      policy: form.policy,
      first_seconds: amountOr(form.firstSeconds, restart.first_seconds),
      cap_seconds: amountOr(form.capSeconds, restart.cap_seconds),
      loop_after: amountOr(form.loopAfter, restart.loop_after),
      stable_seconds: amountOr(form.stableSeconds, restart.stable_seconds),
    },
    autostart: form.autostart,
    console: form.console,
    caps: {
      ...(form.memoryMib === "" ? {} : { memory_bytes: form.memoryMib * MIB }),
      ...(form.cpuPercent === "" ? {} : { cpu_percent: form.cpuPercent }),
      ...(form.processes === "" ? {} : { processes: form.processes }),
    },
    log: {
      bytes: form.logMib === "" ? log.bytes : form.logMib * MIB,
      days: amountOr(form.logDays, log.days),
    },
  };
}

function checkOf(form: ServerForm): Omit<ServerReady, "timeout_seconds"> {
  switch (form.readyKind) {
    case "tcp":
      return {
        kind: "tcp",
        port: amountOr(form.readyPort, 0),
        ...(form.readyHost.trim() ? { host: form.readyHost.trim() } : {}),
      };
    case "http":
      return { kind: "http", url: form.readyUrl.trim() };
    case "log":
      return { kind: "log", contains: form.readyContains };
    case "command":
      return { kind: "command", argv: splitWords(form.readyCommand) ?? [] };
    default:
      return { kind: "up" };
  }
}

/** Settings changed since the form was opened. A named setting is replaced as a whole. */
export function patchOf(server: Server, form: ServerForm): ServerRequest {
  const before = settingsOf(formOf(server.spec));
  const changed = Object.entries(settingsOf(form)).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof typeof before]),
  );
  const name = form.name.trim();
  return { ...Object.fromEntries(changed), ...(name && name !== server.name ? { name } : {}) };
}

export function portsOf(text: string): number[] | undefined {
  const parts = text.split(/[\s,]+/).filter(Boolean);
  const ports = parts.map(Number);
  return ports.every((port) => Number.isInteger(port) && port > 0 && port < 65_536) ? ports : undefined;
}

/** Whether the required fields are filled; the hub validates the rest. */
export function isComplete(form: ServerForm): boolean {
  const process = form.source === "argv" ? splitWords(form.command)?.length : form.definition;
  return Boolean(form.name.trim() && form.host && process && portsOf(form.ports));
}

/** Validation errors of the hub, by JSON pointer. */
export function errorsByPointer(error: unknown): Record<string, string> {
  const errors = error instanceof ApiError ? (error.problem.errors ?? []) : [];
  return Object.fromEntries(errors.map(({ pointer, detail }) => [pointer, detail]));
}

const SECRET = /(pass(word|wd)?|secret|token|api_?key|private|credential)/i;

/** Whether values of this variable are masked. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

function amountOr(amount: Amount, fallback: number): number {
  return amount === "" ? fallback : amount;
}
