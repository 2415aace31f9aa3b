"""A worker in Python: it takes issues one after the other, and finishes them. It needs the standard library only.

    AWP_URL=http://127.0.0.1:3000 AWP_KEY=awp_a_... python3 examples/worker.py
"""
import json, os, signal, socket, threading, time, urllib.error, urllib.request, uuid

URL = os.environ.get("AWP_URL", "http://127.0.0.1:3000")
HEADERS = {"Authorization": f"Bearer {os.environ.get('AWP_KEY', '')}", "Content-Type": "application/json"}
WORKER = os.environ.get("AWP_WORKER", f"example-py-{socket.gethostname()[:40]}-{os.getpid()}")
PROCESS = {"worker": WORKER, "instance": str(uuid.uuid4())}  # A second process of the name waits for the end of this one.
ending = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: ending.set())


def call(path, body):
    """Sends a request until it is answered. It may have been done without an answer; a finish is done once by its token."""
    while True:
        request = urllib.request.Request(URL + path, json.dumps(body).encode(), HEADERS)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            problem = error.read().decode()
            if error.code < 500 and error.code != 429 and (ending.is_set() or "worker_taken" not in problem):
                raise RuntimeError(problem) from error
            print(problem, flush=True)
            time.sleep(min(4, int(error.headers.get("Retry-After") or 0)))
        except OSError:
            pass
        time.sleep(1)


def heartbeat(capacity, leases):
    return call("/api/agents/me/heartbeat?wait=25", {**PROCESS, "capacity": capacity, "leases": leases})["work"]


def work(item, stop):
    """Replace this with your own work. End it when stop.is_set(): the issue was paused, reassigned or closed."""
    return f"{item['issue']['title']}: the brief has {len(item['brief'])} characters."


def renew(lease, stop, done):
    """Renews the lease until the work is done or has to stop. A heartbeat waits for that, or for a third of a lease."""
    goes_on = lambda one: one["issueId"] == lease["issueId"] and one["state"] == "continue"
    try:
        while not done.is_set() and any(map(goes_on, heartbeat(0, [lease]))):
            pass
    finally:
        stop.set()


while not ending.is_set():
    # The answer has all leases of this worker, so an issue comes again after a lost response.
    for item in (one for one in heartbeat(1, []) if one["state"] == "start"):
        key, lease = item["issue"]["key"], {"issueId": item["issueId"], "token": item["token"]}
        stop, done = threading.Event(), threading.Event()
        threading.Thread(target=renew, args=(lease, stop, done), daemon=True).start()
        try:
            result = {"token": item["token"], "status": "Resolved", "comment": work(item, stop)}
            call(f"/api/projects/issues/{item['issueId']}/finish", result)
            print(key, "resolved", flush=True)
        except RuntimeError as error:
            print(key, error, flush=True)  # Such as lease_lost: paused or reassigned meanwhile.
        done.set()
