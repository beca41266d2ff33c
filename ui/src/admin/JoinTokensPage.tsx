import "../styles/mantine-forms";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import type { JoinToken } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import AddHostDialog from "../hosts/AddHostDialog";
import { writeLabels } from "../hosts/labels";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { DataTable } from "../parts/DataTable";
import { FormDialog } from "../parts/FormDialog";
import { GatedButton } from "../parts/GatedButton";
import { Icon } from "../parts/Icon";
import page from "../parts/Page.module.css";
import { toast } from "../parts/toasts";
import { useTitle } from "../parts/useTitle";
import { useNow } from "../time/clock";
import { Time } from "../time/Time";
import { QueryState } from "./QueryState";
import { TokenStateMark } from "./TokenStateMark";
import { newestFirst, tokenState } from "./token-state";

const words = adminText.join;

export function JoinTokensPage() {
  useTitle(words.title);
  const { org, api, role } = useSession();
  const tokens = useQuery({ queryKey: keys.joinTokens(org.slug), queryFn: api.joinTokens });
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <div className={page.head}>
        <h1>{words.title}</h1>
        <GatedButton
          refused={refusal(role, "admin")}
          data-create
          leftSection={<Icon name="plus" />}
          onClick={() => setAdding(true)}
        >
          {text.hosts.add}
        </GatedButton>
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
      {isAdding && <AddHostDialog onClose={() => setAdding(false)} />}
    </>
  );
}

function Tokens({ tokens }: { tokens: JoinToken[] }) {
  const now = useNow();
  const [revoking, setRevoking] = useState<JoinToken>();
  return (
    <>
      <DataTable
        rows={tokens}
        keyOf={(token) => token.id}
        columns={[
          { head: adminText.tokens.hint, cell: (token) => <code>{token.hint}</code> },
          {
            head: adminText.tokens.state,
            cell: (token) => <TokenStateMark state={tokenState(token, now)} />,
          },
          { head: words.uses, cell: (token) => `${token.used} / ${token.uses}` },
          { head: words.mode, cell: (token) => modeText(token.always_on) },
          { head: words.labels, cell: (token) => writeLabels(token.labels) || text.common.none },
          { head: adminText.tokens.created, cell: (token) => <Time at={token.created_at} /> },
          { head: adminText.tokens.expires, cell: (token) => <Time at={token.expires_at} /> },
        ]}
        actions={(token) =>
          tokenState(token, now) === "active" && (
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

function modeText(mode: boolean | null | undefined): string {
  if (typeof mode !== "boolean") return words.detected;
  return mode ? words.yes : words.no;
}

function RevokeDialog({ token, onClose }: { token: JoinToken; onClose: () => void }) {
  const { org, api } = useSession();
  const client = useQueryClient();
  return (
    <FormDialog
      title={adminText.tokens.revokeTitle(token.hint)}
      effect={words.revokeEffect}
      submit={adminText.tokens.revokeDo}
      isDangerous
      onClose={onClose}
      onSubmit={async () => {
        await api.removeJoinToken(token.id);
        toast(adminText.tokens.revokedToast(token.hint));
        void client.invalidateQueries({ queryKey: keys.joinTokens(org.slug) });
        onClose();
      }}
    />
  );
}
