import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";

/** Signs in and goes on. What was cached belonged to somebody else, or to nobody. */
export function useSignIn(signIn: () => Promise<void>, next = "/") {
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: signIn,
    onSuccess: () => {
      client.clear();
      // `replace`: going back must not lead to a used secret.
      router.history.replace(router.basepath === "/" ? next : `${router.basepath}${next}`);
    },
  });
}
