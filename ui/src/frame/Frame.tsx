import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useLocation, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo } from "react";
import { api as hubApi, orgApi } from "../api/api";
import { ApiError } from "../api/client";
import { hubQuery } from "../api/hub-query";
import { keys } from "../api/keys";
import { LiveContext, useLiveEvents } from "../api/live";
import type { Me, Membership } from "../api/model";
import { roleIn } from "../app/roles";
import { type BrowserSession, SessionContext } from "../app/session";
import { storage } from "../app/storage";
import { text } from "../messages";
import { ErrorBox } from "../parts/ErrorBox";
import { Skeleton } from "../parts/Skeleton";
import { Toasts } from "../parts/Toasts";
import { Card } from "../sign-in/Card";
import { ToLogin } from "../sign-in/ToLogin";
import { ZoneContext, zoneName } from "../time/zone";
import styles from "./Frame.module.css";
import { Header } from "./Header";
import { KeyboardLayer } from "./KeyboardLayer";
import { isMember, pickOrg, reachableOrgs } from "./org-choice";
import { pageRefusal } from "./pages";
import { Rail } from "./Rail";
import { StaleRibbon } from "./StaleRibbon";
import { useSignOut } from "./useSignOut";
import { useZoneChoice } from "./zone-choice";

const AccessDenied = lazy(() => import("./AccessDenied"));
const TimeTooltip = lazy(() => import("../time/TimeTooltip"));

/** Loads the current user before anything of an organization. */
export function Frame() {
  const me = useQuery({ queryKey: keys.me, queryFn: ({ signal }) => hubApi.me(signal), staleTime: 60_000 });
  useQuery(hubQuery);

  if (me.error instanceof ApiError && me.error.isSignedOut) {
    return <ToLogin />;
  }
  if (me.error && !me.data) {
    return (
      <main className={styles.alone}>
        <h1 className="sr-only">{text.product}</h1>
        <ErrorBox error={me.error} onRetry={() => void me.refetch()} />
      </main>
    );
  }
  if (!me.data) return <Skeleton />;
  return <UserFrame me={me.data} />;
}

function UserFrame({ me }: { me: Me }) {
  const search = useSearch({ strict: false });
  const everyOrg = useQuery({ queryKey: keys.orgs, queryFn: hubApi.orgs, enabled: me.is_super_admin });
  const orgs = reachableOrgs(me, everyOrg.data?.items ?? []);
  const org = pickOrg(me, orgs, search.org, storage.read("org"));

  if (!org) {
    if (me.is_super_admin && everyOrg.isPending) return <Skeleton />;
    return <NoOrg me={me} />;
  }
  return <OrgFrame me={me} org={org} orgs={orgs} />;
}

function NoOrg({ me }: { me: Me }) {
  const signOut = useSignOut();
  return (
    <Card title={text.frame.noOrg}>
      <p className="dim">{text.frame.noOrgHint(me.email ?? me.name)}</p>
      <Button variant="default" onClick={() => void signOut()}>
        {text.frame.signOut}
      </Button>
      <Toasts />
    </Card>
  );
}

function OrgFrame({ me, org, orgs }: { me: Me; org: Membership; orgs: Membership[] }) {
  // Memoized: a new object would restart effects that depend on it, such as an open log.
  const api = useMemo(() => orgApi(org.slug), [org.slug]);
  const session = useMemo<BrowserSession>(() => ({ me, org, role: roleIn(me, org), api }), [me, org, api]);
  const live = useLiveEvents(org.slug);
  const zone = useZoneChoice();

  const { pathname } = useLocation();
  const refused = pageRefusal(session.role, pathname);
  const isBare = pathname === "/wall";

  useEffect(() => storage.write("org", org.slug), [org.slug]);

  return (
    <SessionContext value={session}>
      <LiveContext value={live}>
        <ZoneContext value={zoneName(zone.choice, org.timezone)}>
          <div
            className={styles.frame}
            data-foreign={!isMember(org) || undefined}
            data-bare={isBare || undefined}
          >
            <a className={styles.skip} href="#main">
              {text.frame.skip}
            </a>
            {!isBare && <Rail />}
            {!isBare && <Header orgs={orgs} live={live} zone={zone} />}
            <main id="main" className={styles.main} tabIndex={-1}>
              <StaleRibbon live={live} />
              {!isMember(org) && <p className={styles.notice}>{text.frame.viewingAsSuperAdmin(org.name)}</p>}
              {/* The key remounts the page, so that no state of one organization is kept in another. */}
              {refused ? (
                <Suspense>
                  <AccessDenied why={refused} />
                </Suspense>
              ) : (
                <Outlet key={org.slug} />
              )}
            </main>
          </div>
          <KeyboardLayer zone={zone} />
          <Suspense>
            <TimeTooltip />
          </Suspense>
          <Toasts />
        </ZoneContext>
      </LiveContext>
    </SessionContext>
  );
}
