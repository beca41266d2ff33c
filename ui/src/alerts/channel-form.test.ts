import { expect, it } from "vitest";
import type { Channel } from "../api/model";
import {
  blankChannel,
  channelForm,
  channelRequest,
  destination,
  isChannelComplete,
  signingSecret,
} from "./channel-form";

it("channelRequest sends only the fields of the channel type", () => {
  const form = { ...blankChannel("whsec_x"), name: " ops ", parts: { url: "https://d", secret: "whsec_x" } };
  expect(channelRequest(form, "UTC")).toMatchObject({
    name: "ops",
    config: { kind: "discord", url: "https://d" },
  });
  expect(channelRequest({ ...form, kind: "webhook" }, "UTC").config).toEqual({
    kind: "webhook",
    url: "https://d",
    secret: "whsec_x",
  });
});

it("channelRequest parses lists and numbers", () => {
  const form = {
    ...blankChannel(""),
    name: "mail",
    kind: "email",
    parts: { host: "mx", port: "25", security: "none", from: "a@b", to: "c@d, e@f" },
    quietFrom: "22:00",
    quietUntil: "07:00",
  };
  expect(isChannelComplete(form)).toBe(true);
  expect(channelRequest(form, "Europe/Berlin")).toMatchObject({
    config: { port: 25, to: ["c@d", "e@f"] },
    quiet_hours: { from: "22:00", until: "07:00", timezone: "Europe/Berlin" },
  });
  expect(isChannelComplete({ ...form, quietUntil: "" })).toBe(false);
});

it("channelForm restores the form of a channel", () => {
  const channel = {
    name: "run",
    config: { kind: "command", argv: ["notify", "-x"] },
    kinds: [],
  } as unknown as Channel;
  const form = channelForm(channel);
  expect(form.parts.argv).toBe("notify\n-x");
  expect(channelRequest(form, "UTC").config).toEqual({ kind: "command", argv: ["notify", "-x"] });
  expect(destination(channel)).toBe("notify -x");
});

it("signingSecret has the required length", () => {
  expect(signingSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});
