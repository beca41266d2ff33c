import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../api/api";
import { ApiError } from "../api/client";
import { toast } from "../parts/toasts";

export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    try {
      await api.signOut();
    } catch (error) {
      // An expired session counts as signed out; any other error leaves the session open and is shown.
      if (!(error instanceof ApiError && error.isSignedOut)) {
        toast(error instanceof Error ? error.message : String(error));
        return;
      }
    }
    await navigate({ to: "/login", search: {} });
    client.clear();
  };
}
