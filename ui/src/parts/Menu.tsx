import { createContext, type ReactNode, type RefObject, use, useId, useRef, useState } from "react";
import type { Align } from "./box-position";
import { Floating } from "./Floating";
import { Icon } from "./Icon";
import styles from "./Menu.module.css";
import { nextItem } from "./menu-keys";

/** Props to spread over the button that opens the menu. */
export interface MenuOpener {
  ref: RefObject<HTMLButtonElement | null>;
  "aria-haspopup": "menu";
  "aria-expanded": boolean;
  "aria-controls": string | undefined;
  onClick: () => void;
}

interface Props {
  label: string;
  opener: (props: MenuOpener) => ReactNode;
  align?: Align;
  children: ReactNode;
}

const CloseContext = createContext<(isEscape: boolean) => void>(() => {});

/** Menu behind a button. Its content is rendered, and may be lazy-loaded, on opening. */
export function Menu({ label, opener, align = "end", children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = (isEscape: boolean) => {
    setOpen(false);
    if (isEscape) button.current?.focus();
  };
  return (
    <>
      {opener({
        ref: button,
        "aria-haspopup": "menu",
        "aria-expanded": isOpen,
        "aria-controls": isOpen ? id : undefined,
        onClick: () => setOpen(!isOpen),
      })}
      {isOpen && (
        <CloseContext value={close}>
          <Floating
            id={id}
            role="menu"
            aria-label={label}
            anchor={button}
            align={align}
            onClose={close}
            onShown={(box) => itemsOf(box)[0]?.focus()}
            onKeyDown={(event) => {
              if (event.key === "Tab") return close(true);
              const items = itemsOf(event.currentTarget);
              const current = items.indexOf(document.activeElement as HTMLElement);
              const next = nextItem(
                event.key,
                items.map((item) => item.textContent ?? ""),
                current,
              );
              if (next === undefined) return;
              event.preventDefault();
              items[next]?.focus();
            }}
          >
            {children}
          </Floating>
        </CloseContext>
      )}
    </>
  );
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
}

interface ItemProps {
  onClick: () => void;
  /** Why the item is disabled. */
  refused?: string | undefined;
  /** Content at the end of the item. */
  end?: ReactNode;
  children: ReactNode;
}

export function MenuItem({ onClick, refused, end, children }: ItemProps) {
  const close = use(CloseContext);
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={styles.item}
      aria-disabled={refused ? true : undefined}
      aria-description={refused}
      onClick={() => {
        if (refused) return;
        close(true);
        onClick();
      }}
    >
      <span className={styles.words}>{children}</span>
      {end}
    </button>
  );
}

interface TickedProps {
  /** `checkbox` keeps the menu open after a click. */
  kind: "radio" | "checkbox";
  isChecked: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** A menu item with a check mark. */
export function MenuCheckItem({ kind, isChecked, onClick, children }: TickedProps) {
  const close = use(CloseContext);
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles support aria-checked
    <button
      type="button"
      role={`menuitem${kind}`}
      tabIndex={-1}
      className={styles.item}
      aria-checked={isChecked}
      onClick={() => {
        if (kind === "radio") close(true);
        onClick();
      }}
    >
      <span className={styles.words}>{children}</span>
      <span className={styles.end}>{isChecked && <Icon name="check" />}</span>
    </button>
  );
}

/** A labeled group of menu items. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: menu groups are not fieldsets
    <div role="group" aria-labelledby={id}>
      <div id={id} role="presentation" className={styles.label}>
        {label}
      </div>
      {children}
    </div>
  );
}

/** A note among the items, for example why they are disabled. */
export function MenuNote({ children }: { children: ReactNode }) {
  return (
    <div role="presentation" className={styles.label} data-note>
      {children}
    </div>
  );
}

export function MenuDivider() {
  return <hr className={styles.divider} />;
}
