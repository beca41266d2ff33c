import { NumberInput, TextInput } from "@mantine/core";
import type { Amount, ServerForm } from "./server-form";

/** Form state, its setter, and the validation errors of the hub. */
export interface Fields {
  form: ServerForm;
  set: (change: Partial<ServerForm>) => void;
  /** Validation errors by JSON pointer. */
  errors: Record<string, string>;
  isReadOnly?: boolean;
}

/** Names of the form fields with a value of type `Kind`. */
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
  /** JSON pointer of the field in validation errors. */
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
      error={error ?? (pointer && fields.errors[pointer])}
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
      error={pointer && fields.errors[pointer]}
      onChange={(value) => fields.set({ [name]: typeof value === "number" ? value : "" })}
    />
  );
}

/** A number field: name, label, JSON pointer in validation errors, and placeholder. */
export type AmountRow = [name: AmountName, label: string, pointer: string, hint?: string];

/** Number fields in one row. */
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
