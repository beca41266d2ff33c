import "../styles/mantine-forms";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { HostDetail } from "../api/model";
import { useSession } from "../app/session";
import { AlwaysOnChip } from "../hosts/AlwaysOnChip";
import { StatusMark } from "../hosts/StatusMark";
import { text } from "../messages";
import { hostTabText } from "../messages/host-tabs";
import { notFoundText } from "../messages/not-found";
import { Breadcrumb } from "../parts/Breadcrumb";
import { ErrorBox, errorToShow } from "../parts/ErrorBox";
import { isNotFound, NotFound } from "../parts/NotFound";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import { useTitle } from "../parts/useTitle";
import { ViewTabs } from "../parts/ViewTabs";
import { CatchUpLine } from "./CatchUpLine";
import { DangerPanel } from "./DangerPanel";
import { HostActions } from "./HostActions";
import styles from "./HostPage.module.css";
import { MachinePanel } from "./MachinePanel";
import { MarkNotes } from "./MarkNotes";
import { MetricsPanel } from "./MetricsPanel";
import { RunsPanel } from "./RunsPanel";
import { SessionPanel } from "./SessionPanel";
import { SettingsPanel } from "./SettingsPanel";
import { HOST_TABS, type HostTab } from "./tabs";

const HostJobs = lazy(() => import("./HostJobs"));
const HostSchedules = lazy(() => import("./HostSchedules"));
const HostServers = lazy(() => import("./HostServers"));
const HostMetrics = lazy(() => import("./HostMetrics"));
const HostTimeline = lazy(() => import("./HostTimeline"));

const route = getRouteApi("/frame/hosts/$host");

export function HostPage() {
  const { host: name } = route.useParams();
  const { org, api } = useSession();
  useTitle(name);
  const host = useQuery({
    queryKey: keys.host(org.slug, name),
    queryFn: () => api.host(name),
    refetchInterval: usePollInterval(),
  });
  const error = errorToShow(host.error, host.data !== undefined);
  return (
    <>
      <Breadcrumb to="/hosts" label={text.hosts.title} />
      {host.data ? (
        <Detail host={host.data} />
      ) : (
        <>
          <div className={page.head}>
            <h1>{name}</h1>
          </div>
          {!error && <Skeleton />}
        </>
      )}
      {error && isNotFound(error) && (
        <NotFound title={notFoundText.host} action="host.removed" named={name} />
      )}
      {error && !isNotFound(error) && (
        <div className={page.notice}>
          <ErrorBox error={error} onRetry={() => void host.refetch()} />
        </div>
      )}
    </>
  );
}

function Detail({ host }: { host: HostDetail }) {
  const { tab = "overview" } = route.useSearch();
  return (
    <>
      <div className={styles.head}>
        <div className={styles.title}>
          <h1>{host.name}</h1>
          {host.always_on && <AlwaysOnChip />}
          <StatusMark host={host} />
        </div>
        <HostActions host={host} />
      </div>
      <CatchUpLine host={host} />
      <MarkNotes host={host} />
      <ViewTabs
        label={hostTabText.label}
        to="/hosts/$host"
        params={{ host: host.name }}
        views={HOST_TABS}
        words={hostTabText.tabs}
        view={tab}
      />
      <Suspense fallback={<Skeleton />}>
        <TabOf host={host} tab={tab} />
      </Suspense>
    </>
  );
}

function TabOf({ host, tab }: { host: HostDetail; tab: HostTab }) {
  if (tab === "jobs") return <HostJobs name={host.name} />;
  if (tab === "schedules") return <HostSchedules name={host.name} />;
  if (tab === "servers") return <HostServers name={host.name} />;
  if (tab === "metrics") return <HostMetrics name={host.name} />;
  if (tab === "timeline") return <HostTimeline name={host.name} />;
  if (tab === "settings") {
    return (
      <div className={page.panels}>
        {/* The key resets the form when another host is opened. */}
        <SettingsPanel key={host.id} host={host} />
        <DangerPanel host={host} />
      </div>
    );
  }
  return (
    <div className={page.panels}>
      <MetricsPanel host={host} />
      <RunsPanel host={host} />
      <MachinePanel host={host} />
      <SessionPanel session={host.session ?? null} />
    </div>
  );
}
