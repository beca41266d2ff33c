import "../styles/mantine-forms";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api } from "../api/api";
import { hubQuery } from "../api/hub-query";
import { keys } from "../api/keys";
import type { HubInfo } from "../api/model";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import page from "../parts/Page.module.css";
import { DetailList, Panel } from "../parts/Panel";
import { useTitle } from "../parts/useTitle";
import { clockOffset } from "../time/clock";
import { duration } from "../time/format";
import { HubOrgs } from "./HubOrgs";
import { HubUsers } from "./HubUsers";
import { LoopsTable } from "./LoopsTable";
import { QueryState } from "./QueryState";
import { SignInLinkDialog } from "./SignInLinkDialog";

const words = adminText.hub;
const LOOPS_EVERY_MS = 5000;
/** Smaller differences are network latency, not clock skew. */
const CLOCK_NOISE_MS = 1000;

export function HubPage() {
  useTitle(words.title);
  const hub = useQuery(hubQuery);
  const [isLinking, setLinking] = useState(false);
  const loops = useQuery({ queryKey: keys.loops, queryFn: api.loops, refetchInterval: LOOPS_EVERY_MS });
  return (
    <>
      <div className={page.head}>
        <h1>{words.title}</h1>
        <Button variant="default" onClick={() => setLinking(true)}>
          {words.signInLink}
        </Button>
      </div>
      <QueryState query={hub}>
        {(data) => (
          <div className={page.panels}>
            <HubFacts hub={data} process={loops.data?.hub_id} />
          </div>
        )}
      </QueryState>
      <HubOrgs />
      <HubUsers />
      <section aria-labelledby="loops">
        <div className={page.section}>
          <h2 id="loops">{words.loops}</h2>
        </div>
        <QueryState query={loops}>{(data) => <LoopsTable loops={data.loops} />}</QueryState>
      </section>
      {isLinking && <SignInLinkDialog onClose={() => setLinking(false)} />}
    </>
  );
}

function HubFacts({ hub, process }: { hub: HubInfo; process: string | undefined }) {
  const offset = clockOffset();
  const id = (value: string) => <code key={value}>{value}</code>;
  return (
    <Panel title={text.product} aside={`${words.version} ${hub.version}`}>
      <DetailList
        rows={[
          [words.fingerprint, id(hub.fingerprint)],
          [words.key, id(hub.public_key)],
          [words.link, words.linkRange(hub.link_versions[0] ?? 0, hub.link_versions.at(-1) ?? 0)],
          [
            words.clock,
            Math.abs(offset) < CLOCK_NOISE_MS
              ? words.clockSame
              : words.clockOffset(duration(Math.abs(offset))),
          ],
          ...(process ? [[words.process, id(process)] as [string, ReactNode]] : []),
        ]}
      />
    </Panel>
  );
}
