import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { keys } from "../api/keys";
import type { JoinTokenCreated } from "../api/model";
import { useSession } from "../app/session";
import { text } from "../messages";
import { hostText } from "../messages/host";
import page from "../parts/Page.module.css";
import { Secret } from "../parts/Secret";
import { Segments } from "../parts/Segments";
import { Time } from "../time/Time";
import styles from "./JoinCommand.module.css";
import { StatusGlyph } from "./StatusGlyph";

const words = hostText.add;
const SETUPS = ["bare", "ready"] as const;
type Setup = (typeof SETUPS)[number];

interface Props {
  token: JoinTokenCreated;
  /** Opens the form with other options. */
  onOther: () => void;
  onClose: () => void;
}

export function JoinCommand({ token, onOther, onClose }: Props) {
  const joined = useJoinedSince(token.created_at);
  const [setup, setSetup] = useState<Setup>(token.install ? "bare" : "ready");
  const line = setup === "bare" && token.install ? token.install : token.command;
  return (
    <>
      {token.install && (
        <Segments
          label={words.setup}
          value={setup}
          onChange={setSetup}
          choices={SETUPS.map((value) => ({ value, label: words.setups[value] }))}
        />
      )}
      <Secret label={words.command} value={line} note={words.setupNotes[setup]} />
      <p className="dim small">
        {words.until} <Time at={token.expires_at} exact /> (<Time at={token.expires_at} />)
      </p>
      <div className={styles.waiting} role="status">
        {joined.map((host) => (
          <p key={host.id} className={styles.joined}>
            <StatusGlyph status="online" />
            {words.joined(host.name)}
            <Link to="/hosts/$host" params={{ host: host.name }} onClick={onClose}>
              {words.open}
            </Link>
            <Link to="/run" search={{ def: "hello", on: host.name }} onClick={onClose}>
              {words.runHello}
            </Link>
          </p>
        ))}
        {joined.length < token.uses && (
          <p className="dim">
            <span className={styles.pulse} /> {words.waiting}
          </p>
        )}
      </div>
      <div className={page.formEnd}>
        <Button variant="default" onClick={onOther}>
          {words.other}
        </Button>
        <Button onClick={onClose} variant="default">
          {text.common.close}
        </Button>
      </div>
    </>
  );
}

/** Polls while the dialog is open, even without live events or while updates are paused. */
const WAITING_MS = 3000;

/** Hosts that joined after the token was created. Both times come from the hub's clock. */
function useJoinedSince(since: string) {
  const { org, api } = useSession();
  const { data } = useQuery({
    queryKey: [...keys.hosts(org.slug), "joined"],
    queryFn: ({ signal }) => api.hosts({ limit: 1000 }, signal),
    refetchInterval: WAITING_MS,
  });
  const start = Date.parse(since);
  return (data?.items ?? []).filter((host) => Date.parse(host.created_at) >= start);
}
