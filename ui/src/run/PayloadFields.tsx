import { runText } from "../messages/run";
import { JsonField } from "../parts/JsonField";
import { Segments } from "../parts/Segments";
import type { PayloadForm } from "./payload-form";
import { SchemaForm } from "./SchemaForm";

interface Props {
  form: PayloadForm;
  label: string;
  /** Errors are shown after the first submit. */
  showErrors: boolean;
}

/** Payload as form fields or as JSON. */
export function PayloadFields({ form, label, showErrors }: Props) {
  const { fields } = form;
  const errors = showErrors ? form.errors : {};
  return (
    <>
      {fields && fields.length > 0 && (
        <Segments
          label={label}
          value={form.isJson ? "json" : "form"}
          onChange={(next) => form.setJson(next === "json")}
          choices={[
            { value: "form", label: runText.form },
            { value: "json", label: runText.json },
          ]}
        />
      )}
      {!fields && <p className="dim">{runText.unknownSchema}</p>}
      {form.isJson || !fields ? (
        <JsonField
          label={label}
          value={form.json}
          onChange={form.setJsonText}
          error={Object.entries(errors)
            .map(([name, detail]) => (name ? `${name}: ${detail}` : detail))
            .join("; ")}
        />
      ) : (
        <SchemaForm fields={fields} inputs={form.inputs} errors={errors} onChange={form.setInputs} />
      )}
    </>
  );
}
