import { lazy, Suspense, useState } from "react";
import { useSession } from "../app/session";
import { text } from "../messages";
import { Icon } from "../parts/Icon";
import { Menu, MenuDivider, MenuGroup, MenuItem } from "../parts/Menu";
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
      <Menu
        label={text.frame.account(me.name)}
        opener={(props) => (
          <button {...props} type="button" className={styles.chip} aria-label={text.frame.account(me.name)}>
            <span className={styles.user}>{me.name}</span>
            <Icon name="chevron" />
          </button>
        )}
      >
        <MenuGroup label={`${me.email ?? me.name} · ${text.roles[role]}`}>
          <MenuItem onClick={() => setSetting(true)}>{text.frame.setPassword}</MenuItem>
          <MenuItem end={<kbd>?</kbd>} onClick={() => open("key-help")}>
            {text.frame.keyHelp}
          </MenuItem>
        </MenuGroup>
        <MenuDivider />
        <MenuItem onClick={() => void signOut()}>{text.frame.signOut}</MenuItem>
      </Menu>
      {isSetting && (
        <Suspense>
          <PasswordDialog onClose={() => setSetting(false)} />
        </Suspense>
      )}
    </>
  );
}
