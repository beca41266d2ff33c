import type { Channel, ChannelRequest } from "../api/model";

export interface ChannelForm {
  name: string;
  kind: string;
  /** Configuration fields of this channel type, by name. */
  parts: Record<string, string>;
  minSeverity: string;
  kinds: string[];
  perDay: string;
  quietFrom: string;
  quietUntil: string;
}

export const CHANNEL_KINDS = ["discord", "slack", "ntfy", "webhook", "email", "command"] as const;

/** Configuration fields of each channel type. */
const PARTS: Record<string, { name: string; isOptional?: boolean }[]> = {
  discord: [{ name: "url" }],
  slack: [{ name: "url" }],
  ntfy: [{ name: "url" }, { name: "token", isOptional: true }],
  webhook: [{ name: "url" }, { name: "secret" }],
  email: [
    { name: "host" },
    { name: "port" },
    { name: "security" },
    { name: "username", isOptional: true },
    { name: "password", isOptional: true },
    { name: "from" },
    { name: "to" },
  ],
  command: [{ name: "argv" }],
};

export function partsOf(kind: string): string[] {
  return (PARTS[kind] ?? []).map(({ name }) => name);
}

export function blankChannel(secret: string): ChannelForm {
  return {
    name: "",
    kind: "discord",
    parts: { secret, port: "587", security: "starttls" },
    minSeverity: "",
    kinds: [],
    perDay: "",
    quietFrom: "",
    quietUntil: "",
  };
}

export function channelForm(channel: Channel): ChannelForm {
  const { kind, ...config } = channel.config;
  const parts = Object.entries(config).map(([name, value]) => [name, formatField(name, value)]);
  return {
    name: channel.name,
    kind,
    parts: Object.fromEntries(parts),
    minSeverity: channel.min_severity ?? "",
    kinds: channel.kinds,
    perDay: typeof channel.per_day === "number" ? String(channel.per_day) : "",
    quietFrom: channel.quiet_hours?.from ?? "",
    quietUntil: channel.quiet_hours?.until ?? "",
  };
}

function formatField(name: string, value: unknown): string {
  if (!Array.isArray(value)) return String(value ?? "");
  return value.map(String).join(name === "argv" ? "\n" : ", ");
}

export function isChannelComplete(form: ChannelForm): boolean {
  const parts = PARTS[form.kind] ?? [];
  return (
    form.name.trim() !== "" &&
    parts.every(({ name, isOptional }) => isOptional || (form.parts[name] ?? "").trim() !== "") &&
    (form.quietFrom === "") === (form.quietUntil === "")
  );
}

export function channelRequest(form: ChannelForm, timezone: string): ChannelRequest {
  const config: Record<string, unknown> = { kind: form.kind };
  for (const { name } of PARTS[form.kind] ?? []) {
    const value = (form.parts[name] ?? "").trim();
    if (value !== "") config[name] = read(name, value);
  }
  return {
    name: form.name.trim(),
    config,
    kinds: form.kinds,
    min_severity: form.minSeverity || null,
    per_day: form.perDay === "" ? null : Number(form.perDay),
    quiet_hours: form.quietFrom ? { from: form.quietFrom, until: form.quietUntil, timezone } : null,
  };
}

function read(name: string, value: string): unknown {
  if (name === "port") return Number(value);
  if (name === "to")
    return value
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean);
  if (name === "argv")
    return value
      .split("\n")
      .map((part) => part.trim())
      .filter(Boolean);
  return value;
}

/** Generates a signing secret in the format of Standard Webhooks. */
export function signingSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** The destination of a channel, without its secrets. */
export function destination(channel: Pick<Channel, "config">): string {
  const { url, to, argv } = channel.config;
  if (Array.isArray(to)) return to.join(", ");
  if (Array.isArray(argv)) return argv.join(" ");
  return typeof url === "string" ? url : "";
}
