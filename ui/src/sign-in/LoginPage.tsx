import "../styles/mantine-forms";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/api";
import { adminText } from "../messages/admin";
import { ErrorBox } from "../parts/ErrorBox";
import { Card } from "./Card";
import styles from "./Card.module.css";
import { useSignIn } from "./useSignIn";

const route = getRouteApi("/login");
const words = adminText.signIn;

export function LoginPage() {
  const { next } = route.useSearch();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useSignIn(() => api.signInByPassword({ email: email.trim(), password }), next);
  return (
    <Card title={words.title}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate();
        }}
      >
        <TextInput
          label={words.email}
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label={words.password}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {signIn.error && <ErrorBox error={signIn.error} />}
        <Button type="submit" loading={signIn.isPending} fullWidth>
          {words.do}
        </Button>
      </form>
      <div className={styles.footer}>
        {words.local}
        <code>hostler open</code>
      </div>
    </Card>
  );
}
