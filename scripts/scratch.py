"""Helpers of the scripts in this folder: ports, waiting, processes, and a temporary PostgreSQL server."""
import os, pathlib, shutil, signal, socket, subprocess, sys, time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def browser():
    """The browser of the page tests. The headless shell needs half the CPU time of the whole browser."""
    names = ["chromium-headless-shell", "chromium", "chromium-browser"]
    return os.environ.get("HOSTLER_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def until(what, is_so, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_so():
            return
        time.sleep(0.1)
    sys.exit(f"{what} did not happen in {seconds} s")


class Postgres:
    """A PostgreSQL server in a folder. It can be killed with all its processes and started again on the same files."""

    def __init__(self, folder, settings=""):
        self.folder, self.port = folder / "pg", free_port()
        self.folder.mkdir()
        versions = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        self.bin = versions[-1] if versions else pathlib.Path(shutil.which("pg_ctl")).parent
        self.prefix = []
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
            os.chmod(folder, 0o755)
            self.prefix = ["runuser", "-u", "postgres", "--"]
        self.run("initdb", "-D", self.folder / "data", "-A", "trust", "-U", "postgres")
        with open(self.folder / "data" / "postgresql.conf", "a") as conf:
            conf.write(f"port={self.port}\nlisten_addresses='127.0.0.1'\nunix_socket_directories='{self.folder}'\n{settings}\n")
        self.start()

    def run(self, program, *args):
        subprocess.run([*self.prefix, self.bin / program, *map(str, args)], check=True, stdout=subprocess.DEVNULL)

    def client(self, program, *args, feed=None):
        """Runs a client program and returns its output."""
        at = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres"]
        done = subprocess.run([self.bin / program, *at, *map(str, args)], capture_output=True, text=True, input=feed)
        if done.returncode != 0:
            sys.exit(f"{program}: {done.stderr}")
        return done.stdout

    def database(self, name):
        """Creates an empty database and returns its URL."""
        self.client("psql", "-q", "-d", "postgres", feed=f"set client_min_messages = error; drop database if exists {name} with (force);")
        self.client("createdb", name)
        return f"postgres://postgres@127.0.0.1:{self.port}/{name}"

    def start(self):
        self.run("pg_ctl", "-D", self.folder / "data", "-l", self.folder / "log", "-w", "-t", "60", "start")

    def kill(self):
        pid = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        children = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()
        for one in [pid, *map(int, children)]:
            try:
                os.kill(one, signal.SIGKILL)
            except ProcessLookupError:
                pass
        # The shared memory is released only when the last process has ended.
        until("the end of the PostgreSQL processes", lambda: not any(pathlib.Path(f"/proc/{one}").exists() for one in [pid, *children]))

    def stop(self):
        self.run("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop")


class Process:
    """A hostler process that can be killed with -9 and started again with the same arguments."""

    def __init__(self, binary, home, args, env, log):
        self.command = [binary, "--home", home, *args]
        self.env, self.log = {**os.environ, "HOSTLER_LOG": "warn", **env}, log
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, env=self.env, stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


def print_slowest(tests):
    """Prints the five slowest of (seconds, name)."""
    print("slowest tests:")
    for seconds, name in sorted(tests, reverse=True)[:5]:
        print(f"  {seconds:6.1f} s  {name}")
