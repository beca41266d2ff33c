import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/** Goes to the sign-in page, and remembers where from. Once: the address it leads to is a new one to come from. */
export function ToLogin() {
  const navigate = useNavigate();
  const [next] = useState(useLocation().href);
  useEffect(() => {
    void navigate({ to: "/login", search: { next }, replace: true });
  }, [navigate, next]);
  return null;
}
