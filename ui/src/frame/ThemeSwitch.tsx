import { type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import { text } from "../messages";
import { Icon } from "../parts/Icon";
import { ChoiceMenu } from "./ChoiceMenu";
import styles from "./Header.module.css";

export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <ChoiceMenu<MantineColorScheme>
      opener={(props) => (
        <button {...props} type="button" className={styles.chip} aria-label={text.frame.theme}>
          <Icon name="theme" />
        </button>
      )}
      title={text.frame.theme}
      choices={[
        { value: "light", label: text.frame.light },
        { value: "dark", label: text.frame.dark },
        { value: "auto", label: text.frame.system },
      ]}
      selected={colorScheme}
      onChoose={setColorScheme}
    />
  );
}
