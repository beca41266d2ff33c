import "../styles/mantine-forms";
import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/api";
import { ApiError } from "../api/client";
import { keys } from "../api/keys";
import type { DeviceView } from "../api/model";
import { adminText } from "../messages/admin";
import { ErrorBox } from "../parts/ErrorBox";
import { Skeleton } from "../parts/Skeleton";
import { Time } from "../time/Time";
import { Card } from "./Card";
import styles from "./Card.module.css";
import { ToLogin } from "./ToLogin";

const words = adminText.device;

/** Confirms a command-line sign-in; requires a signed-in user. */
export function DevicePage() {
  const { code } = useParams({ strict: false });
  const me = useQuery({ queryKey: keys.me, queryFn: ({ signal }) => api.me(signal) });
  if (me.error instanceof ApiError && me.error.isSignedOut) {
    return <ToLogin />;
  }
  return (
    <Card title={words.title}>
      {me.error && <ErrorBox error={me.error} onRetry={() => void me.refetch()} />}
      {me.data && (code ? <Confirm key={code} code={code} /> : <EnterCode />)}
    </Card>
  );
}

function EnterCode() {
  const [code, setCode] = useState("");
  const navigate = useNavigate();
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (code.trim()) void navigate({ to: "/d/$code", params: { code: code.trim().toUpperCase() } });
      }}
    >
      <TextInput
        label={words.code}
        description={words.codeHint}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" disabled={!code.trim()} fullWidth>
        {words.look}
      </Button>
    </form>
  );
}

function Confirm({ code }: { code: string }) {
  const view = useQuery({
    queryKey: ["device", code],
    queryFn: () => api.viewDevice(code),
    refetchOnWindowFocus: false,
  });
  if (view.data) return <Answer view={view.data} />;
  if (!view.error) return <Skeleton rows={3} />;
  return (
    <>
      <ErrorBox error={view.error} onRetry={() => void view.refetch()} />
      <Link to="/d">{words.other}</Link>
    </>
  );
}

function Answer({ view }: { view: DeviceView }) {
  const answer = useMutation({
    mutationFn: (approve: boolean) => api.answerDevice({ user_code: view.user_code, approve }),
  });
  if (answer.isSuccess) return <p role="status">{answer.variables ? words.approved : words.refused}</p>;
  return (
    <>
      <p className={styles.code}>{view.user_code}</p>
      <p>
        <strong>{view.client}</strong> {words.asks}, {words.from} <span className="id">{view.address}</span>.
      </p>
      <p className="dim">{words.check}</p>
      {answer.error && <ErrorBox error={answer.error} />}
      <div className={styles.buttons}>
        <Button variant="default" disabled={answer.isPending} onClick={() => answer.mutate(false)}>
          {words.refuse}
        </Button>
        <Button loading={answer.isPending} onClick={() => answer.mutate(true)}>
          {words.approve}
        </Button>
      </div>
      <p className="faint small">
        {words.ends} <Time at={view.expires_at} />.
      </p>
    </>
  );
}
