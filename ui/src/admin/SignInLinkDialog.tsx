import { useState } from "react";
import { api } from "../api/api";
import type { SignInLink } from "../api/model";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { hostText } from "../messages/host";
import { Dialog } from "../parts/Dialog";
import { FormDialog } from "../parts/FormDialog";
import { Secret } from "../parts/Secret";
import { Time } from "../time/Time";

const words = adminText.hub;

export function SignInLinkDialog({ onClose }: { onClose: () => void }) {
  const [link, setLink] = useState<SignInLink>();
  if (link) {
    return (
      <Dialog title={words.signInLinkTitle} onClose={onClose} size={520}>
        <Secret label={words.signInLinkReady} value={link.url} note={text.common.shownOnce} />
        <p className="dim small">
          {hostText.add.until} <Time at={link.expires_at} exact />
        </p>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={words.signInLinkTitle}
      effect={words.signInLinkEffect}
      submit={words.signInLinkDo}
      onClose={onClose}
      onSubmit={async () => setLink(await api.createSignInLink())}
    />
  );
}
