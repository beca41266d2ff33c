import type { MemberRole, Role } from "../api/model";
import { may } from "../app/roles";
import { text } from "../messages";
import { sentenceCase } from "../parts/sentence-case";

const ROLES: readonly MemberRole[] = ["viewer", "operator", "admin"];

/** Roles that the current user can assign: none above their own. */
export function roleChoices(
  ownRole: Role = "admin",
  withNotes = false,
): { value: MemberRole; label: string }[] {
  return ROLES.filter((role) => may(ownRole, role)).map((value) => ({
    value,
    label: sentenceCase(withNotes ? `${text.roles[value]}: ${text.roleNotes[value]}` : text.roles[value]),
  }));
}
