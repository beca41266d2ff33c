import { Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { api } from "../api/api";
import { ApiError } from "../api/client";
import { useSession } from "../app/session";
import { text } from "../messages";
import { Icon } from "../parts/Icon";
import { toast } from "../parts/toasts";
import styles from "./Header.module.css";
import { openKeyHelp } from "./key-help";

const PasswordDialog = lazy(() => import("./PasswordDialog"));

export function UserMenu() {
  const { me, role } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isSetting, setSetting] = useState(false);

  const signOut = async () => {
    try {
      await api.signOut();
    } catch (error) {
      // Already signed out is as good; anything else leaves the session open, and must be said.
      if (!(error instanceof ApiError && error.isSignedOut)) {
        toast(error instanceof Error ? error.message : String(error));
        return;
      }
    }
    await navigate({ to: "/login", search: {} });
    client.clear();
  };

  return (
    <>
      <Menu>
        <Menu.Target>
          <button type="button" className={styles.chip} aria-label={text.frame.account(me.name)}>
            <span className={styles.user}>{me.name}</span>
            <Icon name="chevron" />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {me.email ?? me.name} · {text.roles[role]}
          </Menu.Label>
          <Menu.Item onClick={() => setSetting(true)}>{text.frame.setPassword}</Menu.Item>
          <Menu.Item rightSection={<kbd>?</kbd>} onClick={openKeyHelp}>
            {text.frame.keyHelp}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => void signOut()}>{text.frame.signOut}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isSetting && (
        <Suspense>
          <PasswordDialog onClose={() => setSetting(false)} />
        </Suspense>
      )}
    </>
  );
}
