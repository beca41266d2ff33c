import { TextInput } from "@mantine/core";
import { useState } from "react";
import { FormDialog } from "./FormDialog";

interface Props {
  title: string;
  effect: string;
  submit: string;
  /** The text to type. */
  expected: string;
  label: string;
  onSubmit: () => Promise<void>;
  onClose: () => void;
}

/** Confirmation dialog for irreversible actions: the name must be typed. */
export function TypedDialog({ expected, label, ...rest }: Props) {
  const [typed, setTyped] = useState("");
  return (
    <FormDialog {...rest} isDangerous isReady={typed === expected}>
      <TextInput
        label={label}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  );
}
