import "../styles/mantine-forms";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import type { Token } from "../api/model";
import { useSession } from "../app/session";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { DataTable } from "../parts/DataTable";
import { FormDialog } from "../parts/FormDialog";
import { Icon } from "../parts/Icon";
import page from "../parts/Page.module.css";
import { toast } from "../parts/toasts";
import { useTitle } from "../parts/useTitle";
import { useNow } from "../time/clock";
import { Time } from "../time/Time";
import { NewTokenDialog } from "./NewTokenDialog";
import { QueryState } from "./QueryState";
import { TokenStateMark } from "./TokenStateMark";
import { newestFirst, tokenState } from "./token-state";

const words = adminText.tokens;

export function TokensPage() {
  useTitle(words.title);
  const { org, api } = useSession();
  const tokens = useQuery({ queryKey: keys.tokens(org.slug), queryFn: api.tokens });
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <div className={page.head}>
        <h1>{words.title}</h1>
        <Button data-create leftSection={<Icon name="plus" />} onClick={() => setCreating(true)}>
          {words.create}
        </Button>
      </div>
      <p className={page.intro}>{words.intro}</p>
      <QueryState query={tokens}>
        {({ items }) =>
          items.length > 0 ? (
            <Tokens tokens={newestFirst(items)} />
          ) : (
            <p className={page.empty}>{words.empty}</p>
          )
        }
      </QueryState>
      {isCreating && <NewTokenDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function Tokens({ tokens }: { tokens: Token[] }) {
  const now = useNow();
  const [revoking, setRevoking] = useState<Token>();
  return (
    <>
      <DataTable
        rows={tokens}
        keyOf={(token) => token.id}
        columns={[
          { head: words.name, cell: (token) => token.name },
          { head: words.hint, cell: (token) => <code>{token.hint}</code> },
          { head: words.state, cell: (token) => <TokenStateMark state={tokenState(token, now)} /> },
          { head: words.role, cell: (token) => text.roles[token.role] },
          { head: words.scope, cell: (token) => token.scope },
          { head: words.createdBy, cell: (token) => token.created_by || text.common.none },
          { head: words.used, cell: (token) => <Time at={token.last_used_at} none={text.common.never} /> },
          { head: words.expires, cell: (token) => <Time at={token.expires_at} none={text.common.never} /> },
        ]}
        actions={(token) =>
          !token.revoked_at && (
            <Button variant="default" onClick={() => setRevoking(token)}>
              {text.common.revoke}
            </Button>
          )
        }
      />
      {revoking && <RevokeDialog token={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
}

function RevokeDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const { org, api } = useSession();
  const client = useQueryClient();
  return (
    <FormDialog
      title={words.revokeTitle(token.name)}
      effect={words.revokeEffect}
      submit={words.revokeDo}
      isDangerous
      onClose={onClose}
      onSubmit={async () => {
        await api.removeToken(token.id);
        toast(words.revokedToast(token.name));
        void client.invalidateQueries({ queryKey: keys.tokens(org.slug) });
        onClose();
      }}
    />
  );
}
