import "../styles/mantine-forms";
import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { creatorName } from "../jobs/creator-name";
import { text } from "../messages";
import { rulesText } from "../messages/rules";
import { DataTable } from "../parts/DataTable";
import { GatedButton } from "../parts/GatedButton";
import { ListPage } from "../parts/ListPage";
import { useTitle } from "../parts/useTitle";
import { Time } from "../time/Time";
import { SecretDialog } from "./SecretDialog";
import { useRulesApi } from "./useRulesApi";

const words = rulesText.secrets;

export function SecretsPage() {
  useTitle(words.title);
  const { org, role } = useSession();
  const api = useRulesApi();
  const secrets = useQuery({ queryKey: keys.secrets(org.slug), queryFn: api.secrets });
  const refused = refusal(role, "admin");
  return (
    <ListPage
      title={words.title}
      intro={words.intro}
      add={words.add}
      refused={refused}
      query={secrets}
      none={words}
      dialog={(secret, onClose) => <SecretDialog {...(secret ? { secret } : {})} onClose={onClose} />}
      removal={({ name }) => ({
        title: words.removeTitle(name),
        effect: words.removeEffect,
        submit: words.removeDo,
        doneText: words.removed(name),
        list: keys.secrets(org.slug),
        remove: () => api.removeSecret(name),
      })}
    >
      {(items, { change, remove }) => (
        <DataTable
          rows={items}
          keyOf={({ name }) => name}
          columns={[
            { head: words.name, cell: ({ name }) => <code>{name}</code> },
            { head: words.by, cell: ({ created_by }) => creatorName(created_by) },
            { head: words.changed, cell: ({ updated_at }) => <Time at={updated_at} /> },
            { head: words.created, cell: ({ created_at }) => <Time at={created_at} /> },
          ]}
          actions={(secret) => (
            <>
              <GatedButton variant="default" refused={refused} onClick={() => change(secret)}>
                {words.change}
              </GatedButton>
              <GatedButton variant="default" refused={refused} onClick={() => remove(secret)}>
                {text.common.remove}
              </GatedButton>
            </>
          )}
        />
      )}
    </ListPage>
  );
}
