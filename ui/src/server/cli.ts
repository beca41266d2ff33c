import { joinWords } from "../parts/shell-words";
import { DEFAULTS, isSecretName, type ServerForm, settingsOf } from "./server-form";

type Group = Record<string, unknown>;

/** The CLI command that creates the same server. Settings without a flag go into --set. */
export function commandOf(form: ServerForm, isStarted: boolean): string {
  const words = ["hostler", "server", "create", form.name.trim() || "NAME", "--on", form.host || "HOST"];
  const { ready, stop, restart, caps, log, ...rest } = settingsOf(form);
  const set: Record<string, Group | boolean> = {};
  const flag = (name: string, value: unknown) => {
    if (value !== undefined && value !== null && value !== "") words.push(`--${name}`, String(value));
  };
  const otherSettings = (
    group: "ready" | "stop" | "restart" | "caps" | "log",
    value: unknown,
    flags: string[],
  ) => {
    const defaults = DEFAULTS[group] as Group;
    const changed = Object.entries(value as Group).filter(
      ([field, each]) => !flags.includes(field) && each !== defaults[field],
    );
    if (changed.length > 0) set[group] = Object.fromEntries(changed);
  };

  if (form.source === "definition") {
    flag("definition", form.definition);
    for (const [name, value] of Object.entries((form.payload ?? {}) as Group)) {
      flag("with", `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
    }
  }
  flag("folder", rest.folder);
  for (const [name, value] of Object.entries(rest.env ?? {})) {
    flag("env", `${name}=${isSecretName(name) ? "…" : value}`);
  }
  flag("user", rest.user);
  for (const port of rest.ports ?? []) flag("port", port);
  if (ready) {
    flag("ready-tcp", ready.port && (ready.host ? `${ready.host}:${ready.port}` : ready.port));
    flag("ready-http", ready.url);
    flag("ready-log", ready.contains);
    if (ready.timeout_seconds !== DEFAULTS.ready.timeout_seconds)
      flag("ready-within", `${ready.timeout_seconds}s`);
    const isFlag = ready.kind !== "command";
    otherSettings("ready", ready, [
      ...(isFlag ? ["kind"] : []),
      "port",
      "host",
      "url",
      "contains",
      "timeout_seconds",
    ]);
  }
  if (stop) {
    flag("stop-command", stop.command);
    if (stop.signal !== DEFAULTS.stop.signal) flag("stop-signal", stop.signal);
    otherSettings("stop", stop, ["command", "signal"]);
  }
  if (restart) {
    if (restart.policy !== DEFAULTS.restart.policy) flag("restart", restart.policy);
    otherSettings("restart", restart, ["policy"]);
  }
  if (form.autostart) words.push("--autostart");
  otherSettings("caps", caps, []);
  otherSettings("log", log, []);
  if (!form.console) set.console = false;
  if (Object.keys(set).length > 0) flag("set", JSON.stringify(set));
  if (isStarted) words.push("--start");
  if (rest.argv && rest.argv.length > 0) words.push("--", ...rest.argv);
  return joinWords(words);
}
