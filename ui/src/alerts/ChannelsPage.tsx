import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { Channel } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { StatusLabel } from "../jobs/JobMark";
import { alertText } from "../messages/alerts";
import { DataTable } from "../parts/DataTable";
import { EmptyState } from "../parts/EmptyState";
import { FormDialog } from "../parts/FormDialog";
import { GatedButton } from "../parts/GatedButton";
import { Icon } from "../parts/Icon";
import page from "../parts/Page.module.css";
import { Toggle } from "../parts/Toggle";
import { showError, toast } from "../parts/toasts";
import { useTitle } from "../parts/useTitle";
import { Time } from "../time/Time";
import styles from "./AlertsPage.module.css";
import { AlertsTabs } from "./AlertsTabs";
import { destination } from "./channel-form";

const ChannelDialog = lazy(() => import("./ChannelDialog"));
const words = alertText.channel;

type OpenDialog = { dialog: "edit"; channel?: Channel } | { dialog: "remove"; channel: Channel };

export function ChannelsPage() {
  useTitle(alertText.channels);
  const { org, api, role } = useSession();
  const client = useQueryClient();
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const channels = useQuery({
    queryKey: keys.channels(org.slug),
    queryFn: api.channels,
    refetchInterval: usePollInterval(),
  });
  const refused = refusal(role, "admin");
  const close = () => setOpenDialog(undefined);
  const reload = () => void client.invalidateQueries({ queryKey: keys.channels(org.slug) });
  return (
    <>
      <div className={page.head}>
        <h1>{alertText.title}</h1>
        <AlertsTabs />
        <GatedButton
          refused={refused}
          data-create
          leftSection={<Icon name="plus" />}
          onClick={() => setOpenDialog({ dialog: "edit" })}
        >
          {words.add}
        </GatedButton>
      </div>
      <QueryState query={channels}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              title={words.none}
              hint={words.noneHint}
              cli={words.noneCli}
              action={
                <GatedButton
                  variant="default"
                  refused={refused}
                  onClick={() => setOpenDialog({ dialog: "edit" })}
                >
                  {words.noneAdd}
                </GatedButton>
              }
            />
          ) : (
            <ChannelTable channels={items} refused={refused} onOpen={setOpenDialog} />
          )
        }
      </QueryState>
      {openDialog?.dialog === "edit" && (
        <Suspense>
          <ChannelDialog {...(openDialog.channel ? { channel: openDialog.channel } : {})} onClose={close} />
        </Suspense>
      )}
      {openDialog?.dialog === "remove" && (
        <FormDialog
          title={words.removeTitle(openDialog.channel.name)}
          effect={words.removeEffect}
          submit={words.removeDo}
          isDangerous
          onClose={close}
          onSubmit={async () => {
            await api.removeChannel(openDialog.channel.id);
            reload();
            toast(words.removed(openDialog.channel.name));
            close();
          }}
        />
      )}
    </>
  );
}

interface TableProps {
  channels: Channel[];
  refused: string | undefined;
  onOpen: (openDialog: OpenDialog) => void;
}

function ChannelTable({ channels, refused, onOpen }: TableProps) {
  const { org, api } = useSession();
  const client = useQueryClient();
  const reload = () => void client.invalidateQueries({ queryKey: keys.channels(org.slug) });
  const change = useMutation({
    mutationFn: (channel: Channel) => api.patchChannel(channel.id, { is_enabled: !channel.is_enabled }),
    onSuccess: (changed) => {
      reload();
      toast(changed.is_enabled ? words.switchedOn(changed.name) : words.switchedOff(changed.name), () => {
        void api.patchChannel(changed.id, { is_enabled: !changed.is_enabled }).then(reload, showError);
      });
    },
    onError: showError,
  });
  return (
    <DataTable
      rows={channels}
      keyOf={({ id }) => id}
      columns={[
        {
          head: words.name,
          cell: (channel) => (
            <span className={styles.named}>
              <Toggle
                label={words.on(channel.name)}
                isOn={channel.is_enabled}
                refused={refused}
                onToggle={() => change.mutate(channel)}
              />
              {channel.name}
            </span>
          ),
        },
        { head: words.kind, cell: ({ config }) => words.kinds[config.kind] ?? config.kind },
        {
          head: words.destination,
          cell: (channel) => <span className="dim">{destination(channel)}</span>,
          isLong: true,
        },
        { head: words.alerts, cell: (channel) => <ChannelFilter channel={channel} /> },
        { head: words.last, cell: (channel) => <LastDelivery channel={channel} /> },
      ]}
      actions={(channel) => (
        <>
          <TestButton channel={channel} refused={refused} />
          <GatedButton
            variant="default"
            refused={refused}
            onClick={() => onOpen({ dialog: "edit", channel })}
          >
            {words.edit}
          </GatedButton>
          <GatedButton
            variant="default"
            refused={refused}
            onClick={() => onOpen({ dialog: "remove", channel })}
          >
            {words.remove}
          </GatedButton>
        </>
      )}
    />
  );
}

function ChannelFilter({ channel }: { channel: Channel }) {
  const kinds = channel.kinds.map((kind) => alertText.kinds[kind] ?? kind).join(", ") || words.allKinds;
  const { min_severity: min } = channel;
  return <span className="dim">{min ? words.minFilter(kinds, min) : kinds}</span>;
}

function LastDelivery({ channel }: { channel: Channel }) {
  const { last_ok_at: ok, last_error_at: failed, last_error: why } = channel;
  if (!ok && !failed) return <span className="faint">{words.noDelivery}</span>;
  const isFailed = Boolean(failed && (!ok || failed > ok));
  return (
    <span className={styles.named} title={isFailed ? (why ?? "") : ""}>
      <StatusLabel
        status={isFailed ? "failed" : "succeeded"}
        label={isFailed ? words.lastError : words.lastOk}
      />
      <span className="dim">
        <Time at={isFailed ? failed : ok} />
      </span>
    </span>
  );
}

/** Sends a test notification and shows the result of the delivery. */
function TestButton({ channel, refused }: { channel: Channel; refused: string | undefined }) {
  const { org, api } = useSession();
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: () => api.testChannel(channel.id),
    onSuccess: (tested) => {
      void client.invalidateQueries({ queryKey: keys.channels(org.slug) });
      toast(tested.is_delivered ? words.delivered(tested.took_ms) : words.notDelivered(tested.text));
    },
    onError: showError,
  });
  if (refused) {
    return (
      <GatedButton variant="default" refused={refused}>
        {words.test}
      </GatedButton>
    );
  }
  return (
    <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
      {words.test}
    </Button>
  );
}
