import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/** Redirects to the sign-in page with a return path. Runs once, because the redirect itself changes the path. */
export function ToLogin() {
  const navigate = useNavigate();
  const [next] = useState(useLocation().href);
  useEffect(() => {
    void navigate({ to: "/login", search: { next }, replace: true });
  }, [navigate, next]);
  return null;
}
