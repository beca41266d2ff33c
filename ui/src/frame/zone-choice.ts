import { useNavigate, useSearch } from "@tanstack/react-router";
import { storage } from "../app/storage";
import { isZone, type ZoneChoice } from "../time/zone";

export interface ZoneControl {
  choice: ZoneChoice;
  choose: (choice: ZoneChoice) => void;
}

/** The time zone of the URL, so that shared links show the same times, else the last choice. */
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
