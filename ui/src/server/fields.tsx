import { NumberInput, TextInput } from "@mantine/core";
import type { Amount, ServerForm } from "./server-form";

/** A form, how to change it, and what the hub said about it. */
export interface Fields {
  form: ServerForm;
  set: (change: Partial<ServerForm>) => void;
  /** By JSON pointer. */
  faults: Record<string, string>;
  isReadOnly?: boolean;
}

/** The names of the fields that hold a value of a kind. */
type NameOf<Kind> = {
  [Name in keyof ServerForm]: ServerForm[Name] extends Kind ? Name : never;
}[keyof ServerForm];
type TextName = Exclude<NameOf<string>, "source" | "readyKind" | "policy">;
type AmountName = {
  [Name in keyof ServerForm]: Amount extends ServerForm[Name] ? Name : never;
}[Exclude<keyof ServerForm, "payload">];

interface Props<Name> {
  fields: Fields;
  name: Name;
  label: string;
  /** Where the hub points to when it is wrong. */
  pointer?: string;
  hint?: string;
  error?: string | undefined;
  required?: boolean;
}

export function TextField({ fields, name, label, pointer, hint, error, required = false }: Props<TextName>) {
  return (
    <TextInput
      label={label}
      placeholder={hint}
      required={required}
      spellCheck={false}
      autoComplete="off"
      readOnly={fields.isReadOnly}
      value={fields.form[name]}
      error={error ?? (pointer && fields.faults[pointer])}
      onChange={(event) => fields.set({ [name]: event.currentTarget.value })}
    />
  );
}

function AmountField({ fields, name, label, pointer, hint }: Props<AmountName>) {
  return (
    <NumberInput
      label={label}
      placeholder={hint}
      min={0}
      allowDecimal={false}
      allowNegative={false}
      readOnly={fields.isReadOnly ?? false}
      value={fields.form[name]}
      error={pointer && fields.faults[pointer]}
      onChange={(value) => fields.set({ [name]: typeof value === "number" ? value : "" })}
    />
  );
}

/** A number field: its name, what it is called, where the hub points to when it is wrong, and what stands for none. */
export type AmountRow = [name: AmountName, label: string, pointer: string, hint?: string];

/** Numbers beside each other. */
export function AmountFields({ fields, rows }: { fields: Fields; rows: AmountRow[] }) {
  return rows.map(([name, label, pointer, hint]) => (
    <AmountField
      key={name}
      fields={fields}
      name={name}
      label={label}
      pointer={pointer}
      {...(hint === undefined ? {} : { hint })}
    />
  ));
}
