import "./styles/layers.css";
import "./styles/tokens.css";
import "./styles/mantine";
import "./styles/base.css";
import "./styles/mantine-look.css";
import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { nonce, shareNonce } from "./app/nonce";
import { queryClient } from "./app/query-client";
import { router } from "./app/router";
import { theme } from "./app/theme";

shareNonce();

// boot.js reads the same key before the first paint.
const colorSchemes = localStorageColorSchemeManager({ key: "hostler-color-scheme" });

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      getStyleNonce={nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
