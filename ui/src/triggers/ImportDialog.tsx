import "../styles/mantine-forms";
import { Button, Checkbox, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { useHostChoice } from "../frame/host-choice";
import { importText as words } from "../messages/import";
import { FormDialog } from "../parts/FormDialog";
import page from "../parts/Page.module.css";
import { toast } from "../parts/toasts";
import { ZoneSelect } from "../parts/ZoneSelect";
import { ImportPreview } from "./ImportPreview";
import { type Imported, importCrontab } from "./import-api";

export default function ImportDialog({ onClose }: { onClose: () => void }) {
  const { org } = useSession();
  const client = useQueryClient();
  const headerHost = useHostChoice().host;
  const [crontab, setCrontab] = useState("");
  const [host, setHost] = useState(headerHost ?? "");
  const [zone, setZone] = useState(org.timezone);
  const [isSystem, setSystem] = useState(false);
  const [preview, setPreview] = useState<Imported>();
  const send = (dry_run: boolean) =>
    importCrontab(org.slug, {
      crontab,
      host: host.trim() || null,
      timezone: zone,
      is_system: isSystem,
      dry_run,
    });
  const found = preview?.lines.filter(({ verdict }) => verdict === "ready").length ?? 0;
  return (
    <FormDialog
      title={words.title}
      effect={words.effect}
      size={640}
      submit={preview ? words.submit(found) : words.previewDo}
      isReady={crontab.trim() !== "" && (!preview || found > 0)}
      onClose={onClose}
      onSubmit={async () => {
        if (!preview) {
          setPreview(await send(true));
          return;
        }
        const { taken } = await send(false);
        void client.invalidateQueries({ queryKey: keys.triggers(org.slug) });
        toast(words.done(taken));
        onClose();
      }}
    >
      {preview ? (
        <>
          <ImportPreview lines={preview.lines} />
          <div>
            <Button variant="subtle" onClick={() => setPreview(undefined)}>
              {words.back}
            </Button>
          </div>
        </>
      ) : (
        <>
          <Textarea
            label={words.crontab}
            description={words.crontabHint}
            placeholder={words.sample}
            required
            rows={8}
            spellCheck={false}
            value={crontab}
            onChange={(event) => setCrontab(event.currentTarget.value)}
            data-autofocus
          />
          <div className={page.pair}>
            <TextInput
              label={words.host}
              description={words.hostHint}
              value={host}
              onChange={(event) => setHost(event.currentTarget.value)}
            />
            <ZoneSelect label={words.zone} value={zone} onChange={setZone} />
          </div>
          <Checkbox
            label={words.system}
            checked={isSystem}
            onChange={(event) => setSystem(event.currentTarget.checked)}
          />
        </>
      )}
    </FormDialog>
  );
}
