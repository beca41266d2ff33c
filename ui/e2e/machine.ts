import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "./hub";

/** Path of the `hostler` binary, from `HOSTLER_E2E_BIN`. */
function binary(): string {
  const path = process.env.HOSTLER_E2E_BIN;
  if (!path) throw new Error("set HOSTLER_E2E_BIN to the path of the hostler binary");
  return path;
}

/** A simulated machine: a data folder and the processes that use it. */
export class Machine {
  private readonly running = new Set<ChildProcess>();
  private output = "";

  private constructor(readonly home: string) {}

  static async create(): Promise<Machine> {
    return new Machine(await mkdtemp(join(tmpdir(), "hostler-e2e-")));
  }

  /** Starts `hostler` in the background. */
  start(...args: string[]): ChildProcess {
    return this.track(
      spawn(binary(), [...args, "--home", this.home], {
        env: { ...process.env, HOSTLER_HOME: this.home },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
  }

  /** Runs a shell line in the background, on a machine without Hostler. */
  shell(line: string, name: string): ChildProcess {
    return this.track(
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
        // The shell line is a pipeline that ends in the runner: a process group lets `end` kill all of it.
        detached: true,
      }),
    );
  }

  private track(child: ChildProcess): ChildProcess {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (part: Buffer) => {
        this.output += part.toString();
      });
    }
    this.running.add(child);
    child.once("exit", () => this.running.delete(child));
    return child;
  }

  /** Runs `hostler` and expects exit code 0. */
  async run(...args: string[]): Promise<void> {
    const child = this.start(...args);
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect(code, `${args[0]}: ${this.output}`).toBe(0);
  }

  /** Waits until the output matches, and returns the match. */
  async waitForOutput(pattern: RegExp): Promise<string> {
    await expect.poll(() => this.output, { timeout: 20_000 }).toMatch(pattern);
    return pattern.exec(this.output)?.[0] ?? "";
  }

  /** Kills one process and waits for its exit. */
  async kill(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    if (!this.running.has(child) || child.pid === undefined) return;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    // A shell line is a process group; `hostler` is a single process.
    process.kill(child.spawnfile === "/bin/sh" ? -child.pid : child.pid, signal);
    await exited;
  }

  /** Kills all processes of this machine and deletes its folder. */
  async remove(): Promise<void> {
    for (const child of [...this.running]) await this.kill(child);
    await rm(this.home, { recursive: true, force: true });
  }
}

/** The arguments of `hostler` in a command line that a page shows. */
export function argumentsOf(line: string): string[] {
  const parts = line.trim().split(/\s+/);
  return parts.slice(parts.indexOf("hostler") + 1);
}
