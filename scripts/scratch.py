"""Helpers of the scripts in this folder: ports, waiting, processes, and a temporary PostgreSQL server with a pooler."""
import collections, os, pathlib, re, shutil, signal, socket, subprocess, sys, time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Errors in the log of PostgreSQL that the faults of a script cause: pattern and reason.
SERVER_KILLED = [
    (r"the database system is (starting up|shutting down|in recovery mode|not yet accepting connections)", "the server is being restarted"),
    (r"terminating (connection|background worker|walreceiver|logical replication worker)", "the server was stopped, or one of its processes was killed"),
]
CLIENT_KILLED = [
    (r"connection to client lost", "the client was killed, or its connection was cut"),
]


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
            conf.write(f"port={self.port}\nlisten_addresses='127.0.0.1'\nunix_socket_directories='{self.folder}'\n")
            # For `errors`: English messages in one file, with the statement of each error.
            conf.write("lc_messages='C'\nlog_destination='stderr'\nlogging_collector=off\nlog_line_prefix='%m [%p] '\n")
            conf.write(f"log_min_messages=warning\nlog_min_error_statement=error\n{settings}\n")
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

    def errors(self, expected):
        """Counts the distinct errors in the server's log, without the expected ones: pairs of a pattern and a reason."""
        expected = re.compile("|".join(pattern for pattern, _ in expected) or "(?!)")
        found, pending = collections.Counter(), {}
        for line in (self.folder / "log").read_text(errors="replace").splitlines():
            match = re.match(r"\S+ \S+ \S+ \[(\d+)\] (ERROR|FATAL|PANIC|STATEMENT):  (.*)", line)
            if not match:
                continue
            process, level, text = match.groups()
            if level == "STATEMENT":
                if process in pending:
                    found[f"{pending.pop(process)} in: {' '.join(text.split())[:200]}"] += 1
                continue
            if process in pending:
                found[pending.pop(process)] += 1
            if not expected.search(text):
                pending[process] = f"{level}: " + re.sub(r"\b\d+\b", "N", text)
        found.update(pending.values())
        return found

    def has_only_expected_errors(self, expected):
        """Prints the errors in the server's log that are not expected, and returns whether the log has none."""
        found = self.errors(expected)
        for text, count in found.most_common():
            print(f"  PostgreSQL logged {count} × {text}")
        return not found


class PgBouncer:
    """A transaction pooler in front of a PostgreSQL server. It can be killed, stopped and started, paused and resumed."""

    def __init__(self, folder, server):
        self.server, self.port, self.folder = server, free_port(), folder / "pooler"
        self.folder.mkdir()
        self.settings = self.folder / "pgbouncer.ini"
        # With `any`, clients need no password; the admin console asks for one of these names.
        self.settings.write_text(
            f"[databases]\n* = host=127.0.0.1 port={server.port} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
            f"listen_port = {self.port}\nunix_socket_dir =\nauth_type = any\nadmin_users = postgres\npool_mode = transaction\ndefault_pool_size = 10\n"
            "max_client_conn = 200\nignore_startup_parameters = extra_float_digits,options\n")
        self.command = [shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin") or "pgbouncer", "-q", self.settings]
        if os.geteuid() == 0:
            # PgBouncer refuses to run as root.
            shutil.chown(self.folder, "postgres")
            self.command[1:1] = ["-u", "postgres"]
        self.start()

    def url(self, name):
        """The URL of a database behind the pooler."""
        return f"postgres://postgres@127.0.0.1:{self.port}/{name}?pooler=transaction"

    def start(self):
        with open(self.folder / "log", "a") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        until("PgBouncer's answer", lambda: self.console("show version", check=False).returncode == 0, 30)

    def console(self, command, check=True):
        at = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", "-d", "pgbouncer"]
        done = subprocess.run([self.server.bin / "psql", "-q", "-X", *at, "-c", command], capture_output=True, text=True, timeout=60)
        if check and done.returncode != 0:
            sys.exit(f"PgBouncer, {command}: {done.stderr}")
        return done

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        self.process.wait(60)

    def pause(self):
        """Holds back all clients, after the end of their current transactions."""
        self.console("pause")

    def resume(self):
        self.console("resume")


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
