import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  retainSearchParams,
} from "@tanstack/react-router";
import { type AlertSearch, readAlertSearch } from "../alerts/alert-search";
import { type RangeSearch, readRange } from "../charts/range";
import { readTab } from "../host/tabs";
import { type HostFilter, readFilter } from "../hosts/filter";
import { type JobFilter, readJobFilter } from "../jobs/job-search";
import { type ListFilter, readListFilter } from "../parts/filter-terms";
import { readServerTab } from "../server/tabs";
import { isZone, type ZoneChoice } from "../time/zone";
import { type AuditFilter, readAuditFilter } from "./audit-filter";
import { basePath } from "./base";
import { PageError, PageNotFound } from "./PageError";

/** Search parameters of every page: organization, time zone and chosen host. */
interface CommonSearch {
  org?: string;
  tz?: ZoneChoice;
  /** `undefined` clears the host; a link without `host` keeps the current one. */
  host?: string | undefined;
}

interface TriggerSearch {
  kind?: "schedule" | "event";
  view?: "day" | "week";
}

const root = createRootRoute({
  validateSearch: (search: Record<string, unknown>): CommonSearch => ({
    ...(typeof search.org === "string" && search.org ? { org: search.org } : {}),
    ...(isZone(search.tz) ? { tz: search.tz } : {}),
    ...readWords(search, ["host"]),
  }),
  search: { middlewares: [retainSearchParams(["org", "tz", "host"])] },
  component: Outlet,
  errorComponent: PageError,
  notFoundComponent: PageNotFound,
});

/** Reads string parameters. The router parses bare numbers, so they are converted back. */
function readWords<const Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): { [Key in Name]?: string } {
  const found = names
    .filter((name) => typeof search[name] === "string" || typeof search[name] === "number")
    .map((name) => [name, String(search[name])]);
  return Object.fromEntries(found) as { [Key in Name]?: string };
}

/** Redirect target after sign-in. Only local paths are accepted, to prevent open redirects. */
function readNext(search: Record<string, unknown>): { next?: string } {
  const { next } = search;
  return typeof next === "string" && /^\/(?![/\\])/.test(next) ? { next } : {};
}

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  validateSearch: readNext,
  component: lazyRouteComponent(() => import("../sign-in/LoginPage"), "LoginPage"),
});

const link = createRoute({
  getParentRoute: () => root,
  path: "/s/$secret",
  component: lazyRouteComponent(() => import("../sign-in/LinkPage"), "LinkPage"),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: "/invite/$secret",
  component: lazyRouteComponent(() => import("../sign-in/InvitePage"), "InvitePage"),
});

const device = createRoute({
  getParentRoute: () => root,
  path: "/d",
  component: lazyRouteComponent(() => import("../sign-in/DevicePage"), "DevicePage"),
});

const deviceCode = createRoute({
  getParentRoute: () => root,
  path: "/d/$code",
  component: lazyRouteComponent(() => import("../sign-in/DevicePage"), "DevicePage"),
});

const frame = createRoute({
  getParentRoute: () => root,
  id: "frame",
  component: lazyRouteComponent(() => import("../frame/Frame"), "Frame"),
});

const overview = createRoute({
  getParentRoute: () => frame,
  path: "/",
  validateSearch: (search: Record<string, unknown>): RangeSearch => readRange(search),
  component: lazyRouteComponent(() => import("../overview/OverviewPage"), "OverviewPage"),
});

const wall = createRoute({
  getParentRoute: () => frame,
  path: "/wall",
  component: lazyRouteComponent(() => import("../overview/WallPage"), "WallPage"),
});

const hosts = createRoute({
  getParentRoute: () => frame,
  path: "/hosts",
  validateSearch: (search: Record<string, unknown>): HostFilter => readFilter(search),
  component: lazyRouteComponent(() => import("../hosts/HostsPage"), "HostsPage"),
});

const host = createRoute({
  getParentRoute: () => frame,
  path: "/hosts/$host",
  validateSearch: (search: Record<string, unknown>) => readTab(search),
  component: lazyRouteComponent(() => import("../host/HostPage"), "HostPage"),
});

const servers = createRoute({
  getParentRoute: () => frame,
  path: "/servers",
  validateSearch: (search: Record<string, unknown>): ListFilter => readListFilter(search),
  component: lazyRouteComponent(() => import("../servers/ServersPage"), "ServersPage"),
});

const newServer = createRoute({
  getParentRoute: () => frame,
  path: "/servers/new",
  validateSearch: (search: Record<string, unknown>) => readWords(search, ["host"]),
  component: lazyRouteComponent(() => import("../server/NewServerPage"), "NewServerPage"),
});

const server = createRoute({
  getParentRoute: () => frame,
  path: "/servers/$server",
  validateSearch: (search: Record<string, unknown>) => readServerTab(search),
  component: lazyRouteComponent(() => import("../server/ServerPage"), "ServerPage"),
});

const jobs = createRoute({
  getParentRoute: () => frame,
  path: "/jobs",
  validateSearch: (search: Record<string, unknown>): JobFilter => readJobFilter(search),
  component: lazyRouteComponent(() => import("../jobs/JobsPage"), "JobsPage"),
});

const job = createRoute({
  getParentRoute: () => frame,
  path: "/jobs/$job",
  validateSearch: (search: Record<string, unknown>): { attempt?: number } => {
    const attempt = Number(search.attempt);
    return Number.isInteger(attempt) && attempt > 0 ? { attempt } : {};
  },
  component: lazyRouteComponent(() => import("../job/JobPage"), "JobPage"),
});

const run = createRoute({
  getParentRoute: () => frame,
  path: "/run",
  validateSearch: (search: Record<string, unknown>) => readWords(search, ["def", "on", "from"]),
  component: lazyRouteComponent(() => import("../run/RunPage"), "RunPage"),
});

const batches = createRoute({
  getParentRoute: () => frame,
  path: "/batches",
  component: lazyRouteComponent(() => import("../batches/BatchesPage"), "BatchesPage"),
});

const batch = createRoute({
  getParentRoute: () => frame,
  path: "/batches/$batch",
  component: lazyRouteComponent(() => import("../batches/BatchPage"), "BatchPage"),
});

const events = createRoute({
  getParentRoute: () => frame,
  path: "/events",
  validateSearch: (search: Record<string, unknown>) => readWords(search, ["types"]),
  component: lazyRouteComponent(() => import("../events/EventsPage"), "EventsPage"),
});

const triggers = createRoute({
  getParentRoute: () => frame,
  path: "/triggers",
  validateSearch: ({ kind, view }: Record<string, unknown>): TriggerSearch => ({
    ...(kind === "schedule" || kind === "event" ? { kind } : {}),
    ...(view === "day" || view === "week" ? { view } : {}),
  }),
  component: lazyRouteComponent(() => import("../triggers/TriggersPage"), "TriggersPage"),
});

const newTrigger = createRoute({
  getParentRoute: () => frame,
  path: "/triggers/new",
  component: lazyRouteComponent(() => import("../triggers/EditorPages"), "NewTriggerPage"),
});

const trigger = createRoute({
  getParentRoute: () => frame,
  path: "/triggers/$trigger",
  component: lazyRouteComponent(() => import("../triggers/TriggerPage"), "TriggerPage"),
});

const editTrigger = createRoute({
  getParentRoute: () => frame,
  path: "/triggers/$trigger/edit",
  component: lazyRouteComponent(() => import("../triggers/EditorPages"), "EditTriggerPage"),
});

const alerts = createRoute({
  getParentRoute: () => frame,
  path: "/alerts",
  validateSearch: (search: Record<string, unknown>): AlertSearch => readAlertSearch(search),
  component: lazyRouteComponent(() => import("../alerts/AlertsPage"), "AlertsPage"),
});

const channels = createRoute({
  getParentRoute: () => frame,
  path: "/alerts/channels",
  component: lazyRouteComponent(() => import("../alerts/ChannelsPage"), "ChannelsPage"),
});

const rules = createRoute({
  getParentRoute: () => frame,
  path: "/alerts/rules",
  component: lazyRouteComponent(() => import("../alerts/RulesPage"), "RulesPage"),
});

const windows = createRoute({
  getParentRoute: () => frame,
  path: "/alerts/maintenance",
  component: lazyRouteComponent(() => import("../alerts/WindowsPage"), "WindowsPage"),
});

const notices = createRoute({
  getParentRoute: () => frame,
  path: "/alerts/deliveries",
  component: lazyRouteComponent(() => import("../alerts/NoticesPage"), "NoticesPage"),
});

const definitions = createRoute({
  getParentRoute: () => frame,
  path: "/admin/definitions",
  component: lazyRouteComponent(() => import("../definitions/DefinitionsPage"), "DefinitionsPage"),
});

const newDefinition = createRoute({
  getParentRoute: () => frame,
  path: "/admin/definitions/new",
  component: lazyRouteComponent(() => import("../definitions/DefinitionEditor"), "NewDefinitionPage"),
});

const definition = createRoute({
  getParentRoute: () => frame,
  path: "/admin/definitions/$key",
  component: lazyRouteComponent(() => import("../definitions/DefinitionPage"), "DefinitionPage"),
});

const editDefinition = createRoute({
  getParentRoute: () => frame,
  path: "/admin/definitions/$key/edit",
  component: lazyRouteComponent(() => import("../definitions/DefinitionEditor"), "EditDefinitionPage"),
});

const workers = createRoute({
  getParentRoute: () => frame,
  path: "/admin/workers",
  component: lazyRouteComponent(() => import("../workers/WorkersPage"), "WorkersPage"),
});

const sync = createRoute({
  getParentRoute: () => frame,
  path: "/admin/sync",
  component: lazyRouteComponent(() => import("../sync/SyncPage"), "SyncPage"),
});

const people = createRoute({
  getParentRoute: () => frame,
  path: "/admin/people",
  component: lazyRouteComponent(() => import("../admin/PeoplePage"), "PeoplePage"),
});

const tokens = createRoute({
  getParentRoute: () => frame,
  path: "/admin/tokens",
  component: lazyRouteComponent(() => import("../admin/TokensPage"), "TokensPage"),
});

const joinTokens = createRoute({
  getParentRoute: () => frame,
  path: "/admin/join-tokens",
  component: lazyRouteComponent(() => import("../admin/JoinTokensPage"), "JoinTokensPage"),
});

const audit = createRoute({
  getParentRoute: () => frame,
  path: "/admin/audit",
  validateSearch: (search: Record<string, unknown>): AuditFilter => readAuditFilter(search),
  component: lazyRouteComponent(() => import("../admin/AuditPage"), "AuditPage"),
});

const org = createRoute({
  getParentRoute: () => frame,
  path: "/admin/org",
  component: lazyRouteComponent(() => import("../admin/OrgPage"), "OrgPage"),
});

const hub = createRoute({
  getParentRoute: () => frame,
  path: "/admin/hub",
  component: lazyRouteComponent(() => import("../admin/HubPage"), "HubPage"),
});

const secrets = createRoute({
  getParentRoute: () => frame,
  path: "/admin/secrets",
  component: lazyRouteComponent(() => import("../rules/SecretsPage"), "SecretsPage"),
});

const limits = createRoute({
  getParentRoute: () => frame,
  path: "/admin/limits",
  component: lazyRouteComponent(() => import("../rules/LimitsPage"), "LimitsPage"),
});

const pings = createRoute({
  getParentRoute: () => frame,
  path: "/triggers/pings",
  component: lazyRouteComponent(() => import("../pings/PingsPage"), "PingsPage"),
});

const hooks = createRoute({
  getParentRoute: () => frame,
  path: "/triggers/hooks",
  component: lazyRouteComponent(() => import("../hooks/HooksPage"), "HooksPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    link,
    invite,
    device,
    deviceCode,
    frame.addChildren([
      overview,
      wall,
      hosts,
      host,
      servers,
      newServer,
      server,
      jobs,
      job,
      run,
      batches,
      batch,
      events,
      triggers,
      newTrigger,
      trigger,
      editTrigger,
      alerts,
      channels,
      rules,
      windows,
      notices,
      definitions,
      newDefinition,
      definition,
      editDefinition,
      workers,
      sync,
      people,
      tokens,
      joinTokens,
      audit,
      org,
      hub,
      secrets,
      limits,
      pings,
      hooks,
    ]),
  ]),
  basepath: basePath || "/",
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
