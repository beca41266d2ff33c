import { PasswordInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../api/api";
import { adminText } from "../messages/admin";
import { FormDialog } from "../parts/FormDialog";
import { toast } from "../parts/toasts";
import { isLongEnough, PasswordField } from "../sign-in/PasswordField";

export default function PasswordDialog({ onClose }: { onClose: () => void }) {
  const [old, setOld] = useState("");
  const [fresh, setFresh] = useState("");
  const words = adminText.password;
  return (
    <FormDialog
      title={words.title}
      submit={words.do}
      isReady={isLongEnough(fresh)}
      onClose={onClose}
      onSubmit={async () => {
        await api.setPassword({ old: old || null, new: fresh });
        toast(words.done);
        onClose();
      }}
    >
      <PasswordInput
        label={words.old}
        description={words.oldNote}
        autoComplete="current-password"
        value={old}
        onChange={(event) => setOld(event.currentTarget.value)}
        data-autofocus
      />
      <PasswordField label={words.new} value={fresh} onChange={setFresh} />
    </FormDialog>
  );
}
