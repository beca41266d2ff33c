import type { ReactNode } from "react";
import { Menu, MenuCheckItem, MenuGroup, type MenuOpener } from "../parts/Menu";
import styles from "./ChoiceMenu.module.css";

interface Choice<T extends string> {
  value: T;
  label: string;
  note?: string;
}

interface Props<T extends string> {
  opener: (props: MenuOpener) => ReactNode;
  title: string;
  choices: Choice<T>[];
  selected: T;
  onChoose: (value: T) => void;
}

/** Menu with one checked choice. */
export function ChoiceMenu<T extends string>({ opener, title, choices, selected, onChoose }: Props<T>) {
  return (
    <Menu label={title} opener={opener}>
      <MenuGroup label={title}>
        {choices.map(({ value, label, note }) => (
          <MenuCheckItem
            key={value}
            kind="radio"
            isChecked={value === selected}
            onClick={() => onChoose(value)}
          >
            {label}
            {note && <span className={styles.note}>{note}</span>}
          </MenuCheckItem>
        ))}
      </MenuGroup>
    </Menu>
  );
}
