"""A worker in Python: it takes issues one after the other, and finishes them. It needs the standard library only.

    AWP_URL=http://127.0.0.1:3000 AWP_KEY=awp_a_... python3 examples/worker.py
"""
import json, os, signal, threading, time, urllib.error, urllib.request

URL = os.environ.get("AWP_URL", "http://127.0.0.1:3000")
KEY = os.environ.get("AWP_KEY", "")
WORKER = os.environ.get("AWP_WORKER", "example-py")
ending = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: ending.set())


def call(path, body):
    """Sends a request until it is answered. It may have been done without an answer; a finish is done once by its token."""
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    while True:
        request = urllib.request.Request(URL + path, json.dumps(body).encode(), headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code != 429:
                raise RuntimeError(error.read().decode()) from error
        except OSError:
            pass
        time.sleep(1)


def heartbeat(capacity, leases):
    return call("/api/agents/me/heartbeat?wait=25", {"worker": WORKER, "capacity": capacity, "leases": leases})["work"]


def work(item, stop):
    """Replace this with your own work. End it when stop.is_set(): the issue was paused, reassigned or closed."""
    return f"{item['issue']['title']}: the brief has {len(item['brief'])} characters."


def renew(lease, stop, done):
    """Renews the lease until the work is done. A heartbeat waits for a third of a lease, or until the work has to stop."""
    while not done.is_set() and not stop.is_set():
        if any(one["issueId"] == lease["issueId"] and one["state"] == "stop" for one in heartbeat(0, [lease])):
            stop.set()


while not ending.is_set():
    # The answer has all leases of this worker, so an issue comes again after a lost response or a restart.
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
