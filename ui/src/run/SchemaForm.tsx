import { NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { runText } from "../messages/run";
import type { Field, FieldInputs } from "./schema";

interface Props {
  fields: Field[];
  inputs: FieldInputs;
  errors: Record<string, string>;
  onChange: (inputs: FieldInputs) => void;
}

/** One field per property of the payload schema. */
export function SchemaForm({ fields, inputs, errors, onChange }: Props) {
  if (fields.length === 0) return <p className="dim">{runText.noFields}</p>;
  return fields.map((field) => (
    <FieldInput
      key={field.name}
      field={field}
      value={inputs[field.name] ?? ""}
      error={errors[field.name]}
      onChange={(value) => onChange({ ...inputs, [field.name]: value })}
    />
  ));
}

interface InputProps {
  field: Field;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function FieldInput({ field, value, error, onChange }: InputProps) {
  const shared = {
    label: field.name,
    description: [
      field.description,
      field.isHidden && runText.hidden,
      field.kind === "list" && runText.onePerLine,
    ]
      .filter(Boolean)
      .join(" "),
    required: field.isRequired,
    error,
    placeholder: field.initial,
  };
  if (field.kind === "choice" || field.kind === "yes-no") {
    return <Choice {...shared} field={field} value={value} onChange={onChange} />;
  }
  if (field.kind === "number") {
    return (
      <NumberInput
        {...shared}
        allowDecimal={!field.isWhole}
        {...(field.min === undefined ? {} : { min: field.min })}
        {...(field.max === undefined ? {} : { max: field.max })}
        clampBehavior="none"
        value={value}
        onChange={(next) => onChange(String(next))}
      />
    );
  }
  if (field.kind === "list") {
    return (
      <Textarea
        {...shared}
        rows={3}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      type={field.isHidden ? "password" : "text"}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface ChoiceProps extends InputProps {
  label: string;
  description: string;
  required: boolean;
}

function Choice({ field, value, error, onChange, label, description, required }: ChoiceProps) {
  const values = field.kind === "yes-no" ? ["true", "false"] : field.choices;
  const words: Record<string, string> =
    field.kind === "yes-no" ? { true: runText.yes, false: runText.no } : {};
  const none =
    field.initial === "" ? runText.notSet : `${words[field.initial] ?? field.initial} (${runText.byDefault})`;
  return (
    <NativeSelect
      label={label}
      description={description}
      required={required}
      error={error}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: "", label: none },
        ...values.map((each) => ({ value: each, label: words[each] ?? each })),
      ]}
    />
  );
}
