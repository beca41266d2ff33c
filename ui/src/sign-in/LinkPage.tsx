import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { api } from "../api/api";
import { adminText } from "../messages/admin";
import { ErrorBox } from "../parts/ErrorBox";
import { Card } from "./Card";
import styles from "./Card.module.css";
import { useSignIn } from "./useSignIn";

const route = getRouteApi("/s/$secret");
const words = adminText.signIn;

/** Waits for a press: a link that signs in by being opened would be used up by whatever previews it. */
export function LinkPage() {
  const { secret } = route.useParams();
  const signIn = useSignIn(() => api.signInByLink(secret));
  return (
    <Card title={words.linkTitle}>
      <p className="dim">{words.linkNote}</p>
      {signIn.error && <ErrorBox error={signIn.error} />}
      <Button onClick={() => signIn.mutate()} loading={signIn.isPending} fullWidth autoFocus>
        {words.do}
      </Button>
      {signIn.error && (
        <div className={styles.foot}>
          {words.linkUsed}
          <code>hostler open</code>
        </div>
      )}
    </Card>
  );
}
