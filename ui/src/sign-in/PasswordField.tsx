import "../styles/mantine-forms";
import { PasswordInput } from "@mantine/core";
import { adminText } from "../messages/admin";

const LENGTH_MIN = 12;

/** Counts code points, not UTF-16 units. */
export function isLongEnough(password: string): boolean {
  return [...password].length >= LENGTH_MIN;
}

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** Field for a new password, with the number of missing characters. */
export function PasswordField({ label, value, onChange }: Props) {
  const missing = LENGTH_MIN - [...value].length;
  const note = value !== "" && missing > 0 ? adminText.invite.tooShort(missing) : undefined;
  return (
    <PasswordInput
      label={label}
      description={note ? `${adminText.invite.passwordRule} · ${note}` : adminText.invite.passwordRule}
      autoComplete="new-password"
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
