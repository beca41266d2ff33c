import { Menu } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useSession } from "../app/session";
import { text } from "../messages";
import { Icon } from "../parts/Icon";
import styles from "./Header.module.css";
import { open } from "./openers";
import { useSignOut } from "./useSignOut";

const PasswordDialog = lazy(() => import("./PasswordDialog"));

export function UserMenu() {
  const { me, role } = useSession();
  const signOut = useSignOut();
  const [isSetting, setSetting] = useState(false);

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
          <Menu.Item rightSection={<kbd>?</kbd>} onClick={() => open("key-help")}>
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
