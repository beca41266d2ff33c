import { Button, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/api";
import { keys } from "../api/keys";
import type { Org } from "../api/model";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { hostText } from "../messages/host";
import { DataTable } from "../parts/DataTable";
import { FormDialog } from "../parts/FormDialog";
import page from "../parts/Page.module.css";
import { TypedDialog } from "../parts/TypedDialog";
import { toast } from "../parts/toasts";
import { Time } from "../time/Time";
import { localZone } from "../time/zone";
import { QueryState } from "./QueryState";

const words = adminText.hub;

export function HubOrgs() {
  const orgs = useQuery({ queryKey: keys.orgs, queryFn: api.orgs });
  const [isCreating, setCreating] = useState(false);
  const [removing, setRemoving] = useState<Org>();
  return (
    <section aria-labelledby="orgs">
      <div className={page.section}>
        <h2 id="orgs">{words.orgs}</h2>
      </div>
      <QueryState query={orgs}>
        {({ items }) => (
          <DataTable
            rows={items}
            keyOf={(org) => org.id}
            columns={[
              {
                head: adminText.org.name,
                cell: (org) => (
                  <Link to="/hosts" search={{ org: org.slug }}>
                    {org.name}
                  </Link>
                ),
              },
              { head: words.slug, cell: (org) => org.slug },
              { head: adminText.org.timezone, cell: (org) => org.timezone },
              { head: adminText.org.created, cell: (org) => <Time at={org.created_at} /> },
            ]}
            actions={(org) => (
              <Button variant="default" onClick={() => setRemoving(org)}>
                {text.common.remove}
              </Button>
            )}
          />
        )}
      </QueryState>
      <div className={page.notice}>
        <Button variant="default" onClick={() => setCreating(true)}>
          {words.newOrg}
        </Button>
      </div>
      {isCreating && <NewOrgDialog onClose={() => setCreating(false)} />}
      {removing && <RemoveOrgDialog org={removing} onClose={() => setRemoving(undefined)} />}
    </section>
  );
}

function RemoveOrgDialog({ org, onClose }: { org: Org; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <TypedDialog
      title={words.removeOrgTitle(org.name)}
      effect={words.removeOrgEffect}
      submit={words.removeOrgDo}
      expected={org.slug}
      label={hostText.host.removeType(org.slug)}
      onClose={onClose}
      onSubmit={async () => {
        await api.removeOrg(org.id, org.slug);
        toast(words.orgRemoved(org.name));
        void client.invalidateQueries({ queryKey: keys.orgs });
        void client.invalidateQueries({ queryKey: keys.me });
        onClose();
      }}
    />
  );
}

function NewOrgDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [slug, setSlug] = useState("");
  const [name, setName] = useState("");
  return (
    <FormDialog
      title={words.newOrg}
      submit={words.newOrgDo}
      isReady={slug.trim() !== ""}
      onClose={onClose}
      onSubmit={async () => {
        const named = name.trim() ? { name: name.trim() } : {};
        await api.createOrg({ slug: slug.trim(), timezone: localZone(), ...named });
        void client.invalidateQueries({ queryKey: keys.orgs });
        void client.invalidateQueries({ queryKey: keys.me });
        onClose();
      }}
    >
      <TextInput
        label={words.slug}
        description={adminText.org.slugNote}
        spellCheck={false}
        value={slug}
        onChange={(event) => setSlug(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label={adminText.org.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
