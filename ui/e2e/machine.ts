import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "./hub";

/** Where the program is that these start: `HOSTLER_E2E_BIN=…/hostler`. */
function binary(): string {
  const path = process.env.HOSTLER_E2E_BIN;
  if (!path) throw new Error("set HOSTLER_E2E_BIN to the program to start runners with");
  return path;
}

/** A machine of its own, as far as Hostler can tell: a folder and the processes started in it. */
export class Machine {
  private readonly running = new Set<ChildProcess>();
  private written = "";

  private constructor(readonly home: string) {}

  static async make(): Promise<Machine> {
    return new Machine(await mkdtemp(join(tmpdir(), "hostler-e2e-")));
  }

  /** Starts the program, and goes on while it runs. */
  start(...args: string[]): ChildProcess {
    return this.watch(
      spawn(binary(), [...args, "--home", this.home], {
        env: { ...process.env, HOSTLER_HOME: this.home },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
  }

  /** Types a line into a shell of a machine that has nothing of ours, and goes on while it runs. */
  shell(line: string, name: string): ChildProcess {
    return this.watch(
      spawn("/bin/sh", ["-c", line], {
        env: {
          PATH: "/usr/bin:/bin",
          HOME: this.home,
          HOSTLER_HOME: this.home,
          HOSTLER_BIN: join(this.home, "bin"),
          HOSTLER_HOSTNAME: name,
          HOSTLER_SERVICE: "no",
        },
        stdio: ["ignore", "pipe", "pipe"],
        // The shell becomes the runner only as the last of its pipe: all of it is ended together.
        detached: true,
      }),
    );
  }

  private watch(child: ChildProcess): ChildProcess {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (part: Buffer) => {
        this.written += part.toString();
      });
    }
    this.running.add(child);
    child.once("exit", () => this.running.delete(child));
    return child;
  }

  /** Runs the program to its end; it must end well. */
  async run(...args: string[]): Promise<void> {
    const child = this.start(...args);
    const code = await new Promise((done) => child.once("exit", done));
    expect(code, `${args[0]}: ${this.written}`).toBe(0);
  }

  /** Waits until it has printed something, and gives back what. */
  async said(what: RegExp): Promise<string> {
    await expect.poll(() => this.written, { timeout: 20_000 }).toMatch(what);
    return what.exec(this.written)?.[0] ?? "";
  }

  /** Ends one process by its id and waits for its end. */
  async end(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    if (!this.running.has(child) || child.pid === undefined) return;
    const isOver = new Promise((done) => child.once("exit", done));
    // What was typed into a shell is a group of processes; the program itself is one.
    process.kill(child.spawnfile === "/bin/sh" ? -child.pid : child.pid, signal);
    await isOver;
  }

  /** Ends all that was started here, and takes the folder away. */
  async remove(): Promise<void> {
    for (const child of [...this.running]) await this.end(child);
    await rm(this.home, { recursive: true, force: true });
  }
}

/** The arguments of a line that somebody would copy into a terminal. */
export function argumentsOf(line: string): string[] {
  const words = line.trim().split(/\s+/);
  return words.slice(words.indexOf("hostler") + 1);
}
