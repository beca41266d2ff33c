import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";

/** Signs in and redirects. The cache is cleared, because it belongs to another user. */
export function useSignIn(signIn: () => Promise<void>, next = "/") {
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: signIn,
    onSuccess: () => {
      client.clear();
      // `replace`, so that going back does not lead to a used sign-in link.
      router.history.replace(router.basepath === "/" ? next : `${router.basepath}${next}`);
    },
  });
}
