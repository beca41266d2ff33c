import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from "@tanstack/react-router";
import { type HostFilter, readFilter } from "../hosts/filter";
import { isZone, type ZoneChoice } from "../time/zone";
import { type AuditFilter, readAuditFilter } from "./audit-filter";
import { basePath } from "./base";
import { NotFound, PageError } from "./PageError";

/** What every address can carry: the org and the time zone one looks with. */
interface Everywhere {
  org?: string;
  tz?: ZoneChoice;
}

const root = createRootRoute({
  validateSearch: (search: Record<string, unknown>): Everywhere => ({
    ...(typeof search.org === "string" && search.org ? { org: search.org } : {}),
    ...(isZone(search.tz) ? { tz: search.tz } : {}),
  }),
  search: { middlewares: [retainSearchParams(["org", "tz"])] },
  component: Outlet,
  errorComponent: PageError,
  notFoundComponent: NotFound,
});

/** Where to go on after signing in. Only paths of this hub: an address must not lead people elsewhere. */
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

const index = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/hosts", replace: true });
  },
});

const frame = createRoute({
  getParentRoute: () => root,
  id: "frame",
  component: lazyRouteComponent(() => import("../frame/Frame"), "Frame"),
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
  component: lazyRouteComponent(() => import("../host/HostPage"), "HostPage"),
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

export const router = createRouter({
  routeTree: root.addChildren([
    index,
    login,
    link,
    invite,
    device,
    deviceCode,
    frame.addChildren([hosts, host, people, tokens, joinTokens, audit, org, hub]),
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
