import { createTheme, type MantineColorsTuple } from "@mantine/core";

const blue: MantineColorsTuple = [
  "#eef3fd",
  "#dce6f9",
  "#b8ccf2",
  "#8fb1f2",
  "#6892e4",
  "#4878d6",
  "#3565cb",
  "#2b54a8",
  "#234690",
  "#1b3877",
];

const red: MantineColorsTuple = [
  "#fdeeec",
  "#f9dad7",
  "#f2b3ae",
  "#ff8a80",
  "#e35f56",
  "#d3443b",
  "#c4342c",
  "#b8261f",
  "#9a1d17",
  "#7c1610",
];

/** Colors come from our tokens; Mantine's palette is used for filled buttons only. */
export const theme = createTheme({
  fontFamily: "var(--sans)",
  fontFamilyMonospace: "var(--mono)",
  colors: { blue, red },
  primaryColor: "blue",
  // One shade lighter in dark mode would reduce the contrast of white text to 3:1.
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 5,
  fontSizes: { xs: "12px", sm: "13px", md: "14px" },
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  components: {
    TextInput: { defaultProps: { size: "xs" } },
    PasswordInput: { defaultProps: { size: "xs" } },
    NativeSelect: { defaultProps: { size: "xs" } },
    Select: { defaultProps: { size: "xs" } },
    // The stepper buttons are omitted; the arrow keys do the same.
    NumberInput: { defaultProps: { size: "xs", hideControls: true } },
    Checkbox: { defaultProps: { size: "xs" } },
    Button: { defaultProps: { size: "xs" } },
    Modal: { defaultProps: { centered: true, radius: 8, transitionProps: { duration: 120 } } },
  },
});
