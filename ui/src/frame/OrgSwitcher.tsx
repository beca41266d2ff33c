import { useNavigate } from "@tanstack/react-router";
import type { Membership } from "../api/model";
import { useSession } from "../app/session";
import { text } from "../messages";
import { Icon } from "../parts/Icon";
import { ChoiceMenu } from "./ChoiceMenu";
import styles from "./Header.module.css";

export function OrgSwitcher({ orgs }: { orgs: Membership[] }) {
  const { org } = useSession();
  const navigate = useNavigate();
  return (
    <ChoiceMenu
      opener={(props) => (
        <button
          {...props}
          type="button"
          className={styles.chip}
          data-boxed
          aria-label={text.frame.orgSwitch(org.name)}
        >
          <span>{org.name}</span>
          <Icon name="chevron" />
        </button>
      )}
      title={text.frame.orgs}
      choices={orgs.map(({ slug, name, role }) => ({ value: slug, label: name, note: text.roles[role] }))}
      selected={org.slug}
      // Hosts and filters belong to one organization, so switching opens the unfiltered list.
      onChoose={(slug) =>
        void navigate({
          to: "/hosts",
          search: ({ tz }) => ({ org: slug, ...(tz ? { tz } : {}), host: undefined }),
        })
      }
    />
  );
}
