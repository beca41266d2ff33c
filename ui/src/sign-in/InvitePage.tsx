import "../styles/mantine-forms";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/api";
import type { InvitationView } from "../api/model";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { ErrorBox } from "../parts/ErrorBox";
import { Skeleton } from "../parts/Skeleton";
import { Time } from "../time/Time";
import { Card } from "./Card";
import styles from "./Card.module.css";
import { isLongEnough, PasswordField } from "./PasswordField";
import { useSignIn } from "./useSignIn";

const route = getRouteApi("/invite/$secret");
const words = adminText.invite;

export function InvitePage() {
  const { secret } = route.useParams();
  const view = useQuery({
    queryKey: ["invitation", secret],
    queryFn: () => api.viewInvitation(secret),
    refetchOnWindowFocus: false,
  });
  if (view.data) return <Accept secret={secret} view={view.data} />;
  return (
    <Card title={words.title(text.product)}>
      {view.error ? (
        <ErrorBox error={view.error} onRetry={() => void view.refetch()} />
      ) : (
        <Skeleton rows={3} />
      )}
    </Card>
  );
}

function Accept({ secret, view }: { secret: string; view: InvitationView }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const accept = useSignIn(() => api.acceptInvitation({ secret, name: name.trim(), password }));
  const isReady = view.is_known ? password !== "" : name.trim() !== "" && isLongEnough(password);
  return (
    <Card title={words.title(view.org)}>
      <p className="dim">{words.intro(view.email, view.role)}</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) accept.mutate();
        }}
      >
        {/* Lets password managers store the email with the password. */}
        <input type="hidden" name="email" autoComplete="username" value={view.email} />
        {view.is_known ? (
          <PasswordInput
            label={words.password}
            description={words.existingAccount}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        ) : (
          <>
            <TextInput
              label={words.name}
              autoComplete="name"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <PasswordField label={words.newPassword} value={password} onChange={setPassword} />
          </>
        )}
        {accept.error && <ErrorBox error={accept.error} />}
        <Button type="submit" disabled={!isReady} loading={accept.isPending} fullWidth>
          {words.do}
        </Button>
      </form>
      <p className="faint small">
        {words.expires} <Time at={view.expires_at} />.
      </p>
    </Card>
  );
}
