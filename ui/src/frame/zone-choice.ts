import { useNavigate, useSearch } from "@tanstack/react-router";
import { storage } from "../app/storage";
import { isZone, type ZoneChoice } from "../time/zone";

export interface ZoneControl {
  choice: ZoneChoice;
  choose: (choice: ZoneChoice) => void;
}

/** The address decides, so that a link shows the same times; without it, what was chosen last. */
export function useZoneChoice(): ZoneControl {
  const { tz } = useSearch({ strict: false });
  const navigate = useNavigate();
  const remembered = storage.read("zone");
  return {
    choice: tz ?? (isZone(remembered) ? remembered : "local"),
    choose: (choice) => {
      storage.write("zone", choice);
      void navigate({ to: ".", search: (old) => ({ ...old, tz: choice }), replace: true });
    },
  };
}
