/** A running hub with at least one online host. */
interface Hub {
  /** An unused one-time sign-in link of a super admin; `hostler open --print` prints one. */
  link: string;
  /** The hub's database: a SQLite file or a PostgreSQL URL. */
  database?: string;
}

/** The hubs in `HOSTLER_E2E_HUBS`. */
export function hubs(): Hub[] {
  const list = process.env.HOSTLER_E2E_HUBS;
  if (!list) throw new Error("set HOSTLER_E2E_HUBS, see ui/README.md");
  return JSON.parse(list) as Hub[];
}

/** The hub of this worker. Each worker has its own hub, so that tests that run in parallel do not see each other's rows. */
export function ownHub(): Hub {
  const hub = hubs()[Number(process.env.TEST_PARALLEL_INDEX)];
  if (!hub) throw new Error("HOSTLER_E2E_HUBS has no hub for this worker");
  return hub;
}
