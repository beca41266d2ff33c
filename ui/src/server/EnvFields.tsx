import { Button, PasswordInput, TextInput } from "@mantine/core";
import { formText as words } from "../messages/server-form";
import { Icon } from "../parts/Icon";
import styles from "./Form.module.css";
import type { Fields } from "./fields";
import { type EnvRow, isSecretName } from "./server-form";

/** Environment variables. Values with secret-looking names are masked until revealed. */
export function EnvFields({ fields }: { fields: Fields }) {
  const { form, set, errors, isReadOnly = false } = fields;
  const change = (id: number, part: Partial<EnvRow>) =>
    set({ env: form.env.map((row) => (row.id === id ? { ...row, ...part } : row)) });
  const add = () =>
    set({
      env: [...form.env, { id: 1 + Math.max(-1, ...form.env.map(({ id }) => id)), name: "", value: "" }],
    });
  return (
    <fieldset className={styles.env}>
      <legend>{words.env}</legend>
      {form.env.length === 0 && <p className="dim small">{words.envNone}</p>}
      {form.env.map((row) => {
        const Value = isSecretName(row.name) ? PasswordInput : TextInput;
        return (
          <div key={row.id} className={styles.envRow}>
            <TextInput
              aria-label={words.envName}
              placeholder={words.envName}
              spellCheck={false}
              readOnly={isReadOnly}
              value={row.name}
              onChange={(event) => change(row.id, { name: event.currentTarget.value })}
            />
            <Value
              aria-label={words.envValue}
              placeholder={words.envValue}
              autoComplete="off"
              readOnly={isReadOnly}
              value={row.value}
              onChange={(event) => change(row.id, { value: event.currentTarget.value })}
            />
            {!isReadOnly && (
              <button
                type="button"
                className={styles.remove}
                aria-label={words.envRemove(row.name)}
                onClick={() => set({ env: form.env.filter(({ id }) => id !== row.id) })}
              >
                <Icon name="close" />
              </button>
            )}
          </div>
        );
      })}
      {errors["/env"] && <p className={styles.fault}>{errors["/env"]}</p>}
      {!isReadOnly && (
        <div>
          <Button variant="default" leftSection={<Icon name="plus" />} onClick={add}>
            {words.envAdd}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
