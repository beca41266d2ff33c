import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { TriggerEditor } from "./TriggerEditor";

const route = getRouteApi("/frame/triggers/$trigger/edit");

export function NewTriggerPage() {
  return <TriggerEditor />;
}

export function EditTriggerPage() {
  const { trigger: id } = route.useParams();
  const { org, api } = useSession();
  const trigger = useQuery({
    queryKey: keys.trigger(org.slug, id),
    queryFn: () => api.trigger(id),
    // The form starts from this response; refetches must not overwrite edits.
    refetchOnWindowFocus: false,
  });
  return <QueryState query={trigger}>{(data) => <TriggerEditor key={data.id} trigger={data} />}</QueryState>;
}
