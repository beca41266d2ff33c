"""A worker in plain Python: claims the jobs of a queue, runs them, and reports their results.

    hostler token create py --scope worker --queue QUEUE      (an admin)
    HOSTLER_URL=http://127.0.0.1:7411 HOSTLER_TOKEN=hst_... python3 worker.py QUEUE

From another machine use an https:// address: jobs with secrets are not handed out over an unencrypted connection.
"""
import json, os, socket, sys, threading, time, urllib.request, uuid

URL, TOKEN, QUEUE = os.environ["HOSTLER_URL"], os.environ["HOSTLER_TOKEN"], sys.argv[1]
BEAT_SECONDS = float(os.environ.get("BEAT_SECONDS", "5"))  # far below the duration of the lease, which is minutes
ME = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4()}"  # new for every start

class Stale(Exception):
    """The lease of the run has expired."""

def ask(path, **body):
    """Sends a request, with retries while the hub is unreachable: every request here may be repeated."""
    body, headers = json.dumps({"worker_id": ME, **body}).encode(), {"Authorization": f"Bearer {TOKEN}"}
    request = urllib.request.Request(f"{URL}/api/v1/worker/jobs/{path}", body, headers)
    while True:
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except OSError as error:  # unreachable, or an error status
            code = getattr(error, "code", 503)
            if code == 409: raise Stale() from None
            if code < 500 and code != 429: sys.exit(error.read().decode())
        time.sleep(1)

def work(payload, stop):
    """The work itself: returns its output, raises an error, ends soon once `stop` is set."""
    stop.wait(payload.get("seconds", 0))
    if "fail" in payload:
        raise ValueError(payload["fail"])
    return {"echo": payload}

def beat(job, over, stop):
    while not stop.is_set() and not over.wait(BEAT_SECONDS):
        try:
            if ask(f"{job['id']}/heartbeat", fence=job["fence"])["cancel"]: stop.set()
        except Stale: stop.set()

def run(job):
    over, stop = threading.Event(), threading.Event()
    threading.Thread(target=beat, args=(job, over, stop), daemon=True).start()
    try:
        what, said = "complete", {"output": work(job["payload"], stop)}
    except Exception as error:
        what, said = "fail", {"error": f"{type(error).__name__}: {error}", "exit_code": 1}
    over.set()
    if stop.is_set():
        what, said = "fail", {"error": "canceled", "canceled": True}
    try:
        status = ask(f"{job['id']}/{what}", fence=job["fence"], **said)["status"]
    except Stale:
        status = "lease expired"
    print(job["id"], status, flush=True)

while True:
    for claimed in ask("claim", queues=[QUEUE], wait_s=20, max=1, request_id=str(uuid.uuid4()))["jobs"]:
        run(claimed)
