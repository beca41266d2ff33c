import { execFileSync } from "node:child_process";
import { ownHub } from "./hubs";

const DAY_SECONDS = 86_400;

/** The 16 bytes of an ID, in hex. */
function bytesOf(id: string): string {
  const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  let value = 0n;
  for (const character of id) value = value * 32n + BigInt(alphabet.indexOf(character));
  return value.toString(16).padStart(32, "0");
}

/**
 * Moves a time of one row into the past, directly in the database, because a test cannot wait for days.
 */
export async function backdate(table: string, column: string, key: string, id: string, days: number) {
  const { database } = ownHub();
  if (!database) throw new Error("HOSTLER_E2E_HUBS names no database");
  const hex = bytesOf(id);
  if (database.startsWith("postgres")) {
    const statement = `update ${table} set ${column} = now() - interval '${days} days' where ${key} = '${hex}'`;
    execFileSync("psql", ["-v", "ON_ERROR_STOP=1", "-qc", statement, database]);
    return;
  }
  const micros = BigInt(Date.now() - days * DAY_SECONDS * 1000) * 1000n;
  const statement = `update ${table} set ${column} = ${micros} where ${key} = x'${hex}'`;
  const program =
    "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], 30); c.execute(sys.argv[2]); c.commit()";
  execFileSync("python3", ["-c", program, database, statement]);
}
