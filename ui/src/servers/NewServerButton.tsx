import { useNavigate } from "@tanstack/react-router";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { serversText } from "../messages/servers";
import { GatedButton } from "../parts/GatedButton";
import { Icon } from "../parts/Icon";

interface Props {
  /** Preselected host. */
  host?: string;
  isSecondary?: boolean;
}

export function NewServerButton({ host, isSecondary = false }: Props) {
  const { role } = useSession();
  const navigate = useNavigate();
  return (
    <GatedButton
      variant={isSecondary ? "default" : "filled"}
      refused={refusal(role, "admin")}
      data-create
      leftSection={<Icon name="plus" />}
      onClick={() => void navigate({ to: "/servers/new", search: host ? { host } : {} })}
    >
      {serversText.create}
    </GatedButton>
  );
}
