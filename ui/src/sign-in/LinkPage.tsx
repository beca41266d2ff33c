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

/** Signs in only on click: link previews of chat and mail programs would otherwise use up the one-time link. */
export function LinkPage() {
  const { secret } = route.useParams();
  const signIn = useSignIn(() => api.signInByLink(secret));
  const isUsedUp = signIn.error instanceof ApiError && signIn.error.code === "link_invalid";
  return (
    <Card title={words.linkTitle}>
      {signIn.error && <ErrorBox error={signIn.error} />}
      {isUsedUp ? (
        <div className={styles.footer}>
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
