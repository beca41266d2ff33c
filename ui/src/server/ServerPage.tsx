import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { ApiError } from "../api/client";
import type { Server } from "../api/model";
import host from "../host/HostPage.module.css";
import { serverText as words } from "../messages/server";
import { EmptyState } from "../parts/EmptyState";
import { ErrorBox, worthSaying } from "../parts/ErrorBox";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import { Trail } from "../parts/Trail";
import { useTitle } from "../parts/useTitle";
import { ViewTabs } from "../parts/ViewTabs";
import { addressOf } from "../servers/address";
import { ServerActions } from "../servers/ServerActions";
import { ServerMark } from "../servers/ServerMark";
import { ServerWhy } from "../servers/ServerWhy";
import { useServer } from "../servers/useServers";
import { ServerOverview } from "./ServerOverview";
import styles from "./ServerPage.module.css";
import { SERVER_TABS, type ServerTab } from "./tabs";

const ServerConsole = lazy(() => import("./ServerConsole"));
const ServerRuns = lazy(() => import("./ServerRuns"));
const ServerActivity = lazy(() => import("./ServerActivity"));
const ServerSettings = lazy(() => import("./ServerSettings"));

const route = getRouteApi("/frame/servers/$server");

export function ServerPage() {
  const { server: name } = route.useParams();
  const server = useServer(name);
  useTitle(server.data?.name ?? name);
  const isGone = server.error instanceof ApiError && server.error.problem.status === 404;
  const error = worthSaying(server.error, server.data !== undefined);
  return (
    <>
      <Trail to="/servers" label={words.back} />
      {server.data && !isGone ? (
        <Detail server={server.data} />
      ) : (
        <>
          <div className={page.head}>
            <h1>{name}</h1>
          </div>
          {!error && <Skeleton />}
        </>
      )}
      {error && isGone && (
        <EmptyState title={words.gone}>
          <p>{words.goneHint}</p>
        </EmptyState>
      )}
      {error && !isGone && (
        <div className={page.notice}>
          <ErrorBox error={error} onRetry={() => void server.refetch()} />
        </div>
      )}
    </>
  );
}

function Detail({ server }: { server: Server }) {
  const { tab = "overview" } = route.useSearch();
  return (
    <>
      <div className={host.head}>
        <div className={host.title}>
          <h1>{server.name}</h1>
          <ServerMark server={server} />
        </div>
        <div className={host.actions}>
          <ServerActions server={server} />
        </div>
      </div>
      <div className={styles.why}>
        <ServerWhy server={server} />
      </div>
      <ViewTabs
        label={words.tabsLabel}
        to="/servers/$server"
        params={{ server: addressOf(server) }}
        views={SERVER_TABS}
        words={words.tabs}
        view={tab}
      />
      <Suspense fallback={<Skeleton />}>
        <TabOf server={server} tab={tab} />
      </Suspense>
    </>
  );
}

function TabOf({ server, tab }: { server: Server; tab: ServerTab }) {
  if (tab === "console") return <ServerConsole server={server} />;
  if (tab === "runs") return <ServerRuns server={server} />;
  if (tab === "activity") return <ServerActivity server={server} />;
  // The key resets the form when another server is opened.
  if (tab === "settings") return <ServerSettings key={server.id} server={server} />;
  return <ServerOverview server={server} />;
}
