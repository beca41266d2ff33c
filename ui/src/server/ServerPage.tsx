import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { ApiError } from "../api/client";
import type { Server } from "../api/model";
import host from "../host/HostPage.module.css";
import { serverText as words } from "../messages/server";
import { Breadcrumb } from "../parts/Breadcrumb";
import { EmptyState } from "../parts/EmptyState";
import { ErrorBox, errorToShow } from "../parts/ErrorBox";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import { useTitle } from "../parts/useTitle";
import { ViewTabs } from "../parts/ViewTabs";
import { addressOf } from "../servers/address";
import { ServerActions } from "../servers/ServerActions";
import { ServerMark } from "../servers/ServerMark";
import { ServerReason } from "../servers/ServerReason";
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
  const isNotFound = server.error instanceof ApiError && server.error.problem.status === 404;
  const error = errorToShow(server.error, server.data !== undefined);
  return (
    <>
      <Breadcrumb to="/servers" label={words.back} />
      {server.data && !isNotFound ? (
        <Detail server={server.data} />
      ) : (
        <>
          <div className={page.head}>
            <h1>{name}</h1>
          </div>
          {!error && <Skeleton />}
        </>
      )}
      {error && isNotFound && (
        <EmptyState title={words.notFound}>
          <p>{words.notFoundHint}</p>
        </EmptyState>
      )}
      {error && !isNotFound && (
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
        <ServerReason server={server} />
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
