import { Button } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../api/api";
import { ApiError } from "../api/client";
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
  const isSpent = signIn.error instanceof ApiError && signIn.error.code === "link_invalid";
  return (
    <Card title={words.linkTitle}>
      {signIn.error && <ErrorBox error={signIn.error} />}
      {isSpent ? (
        <div className={styles.foot}>
          <Link to="/login">{words.byPassword}</Link>
        </div>
      ) : (
        <>
          <p className="dim">{words.linkNote}</p>
          <Button onClick={() => signIn.mutate()} loading={signIn.isPending} fullWidth autoFocus>
            {words.do}
          </Button>
        </>
      )}
    </Card>
  );
}
