"""A worker in Python: it takes issues one after the other, and finishes them. It needs the standard library only.

    AWP_URL=http://127.0.0.1:3000 AWP_KEY=awp_a_... python3 examples/worker.py
"""

import json
import os
import signal
import sys
import time
import urllib.error
import urllib.request

URL = os.environ.get("AWP_URL", "http://127.0.0.1:3000")
KEY = os.environ.get("AWP_KEY", "")
WORKER = os.environ.get("AWP_WORKER", "example-py")
ending = False


def call(path, body):
    """Sends a request until it is answered. A finish is done once by its token, and the worker's name heals a heartbeat."""
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
            pass  # It may have been done without an answer, so the same request is sent again.
        time.sleep(1)


def work(item):
    """Replace this with your own work. Work that takes longer than a lease needs heartbeats meanwhile: docs/api-guide.md."""
    return f"{item['issue']['title']}: the brief has {len(item['brief'])} characters."


def end(*_):
    global ending
    ending = True


signal.signal(signal.SIGTERM, end)
while not ending:
    # "work" has all leases of this worker, so an issue comes again after a lost response or a restart.
    for item in call("/api/agents/me/heartbeat?wait=25", {"worker": WORKER, "capacity": 1, "leases": []})["work"]:
        if item["state"] == "stop":
            continue
        try:
            finish = {"token": item["token"], "status": "Resolved", "comment": work(item)}
            call(f"/api/projects/issues/{item['issueId']}/finish", finish)
            print(item["issue"]["key"], "resolved", flush=True)
        except RuntimeError as error:
            print(item["issue"]["key"], error, file=sys.stderr)  # Such as lease_lost: paused or reassigned meanwhile.
