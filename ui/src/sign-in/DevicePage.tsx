import "../styles/mantine-forms";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/api";
import { ApiError } from "../api/client";
import { keys } from "../api/keys";
import type { DeviceView, Role } from "../api/model";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { ErrorBox } from "../parts/ErrorBox";
import { Skeleton } from "../parts/Skeleton";
import { sentenceCase } from "../parts/sentence-case";
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
        {words.continueDo}
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
      <Link to="/d">{words.otherCode}</Link>
    </>
  );
}

function Answer({ view }: { view: DeviceView }) {
  const [role, setRole] = useState(view.role as Role);
  const decide = useMutation({
    mutationFn: (approve: boolean) => api.answerDevice({ user_code: view.user_code, approve, role }),
  });
  if (decide.isSuccess) return <p role="status">{decide.variables ? words.approved : words.denied}</p>;
  return (
    <>
      <p className={styles.code}>{view.user_code}</p>
      <p>
        <strong>{view.client}</strong> {words.requestsAccess}, {words.from}{" "}
        <span className="id">{view.address}</span>.
      </p>
      <p className="dim">{words.approveHint}</p>
      <NativeSelect
        label={words.role}
        description={words.roleHint}
        data={(view.roles as Role[]).map((value) => ({ value, label: sentenceCase(text.roles[value]) }))}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value as Role)}
      />
      {decide.error && <ErrorBox error={decide.error} />}
      <div className={styles.buttons}>
        <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate(false)}>
          {words.deny}
        </Button>
        <Button loading={decide.isPending} onClick={() => decide.mutate(true)}>
          {words.approve}
        </Button>
      </div>
      <p className="faint small">
        {words.expires} <Time at={view.expires_at} />.
      </p>
    </>
  );
}
