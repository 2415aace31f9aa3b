const WAIT_SECONDS = 25;
const TICK_MS = 1000;
const RELEASE_MS = 5000;

/** After these a step may end. */
const AT_THE_BOUNDARY = new Set(['paused', 'waiting', 'budget', 'in_review', 'resolved']);

export class Stop {
  #canceling = new AbortController();
  reason = null;
  now = this.#canceling.signal;

  request(reason) {
    if (this.now.aborted) return;
    this.reason = reason;
    if (!AT_THE_BOUNDARY.has(reason)) this.#canceling.abort(new Error(reason));
  }
}

export class WorkLoop {
  constructor(service, worker, handlers, { instance = crypto.randomUUID(), takeOver = false } = {}) {
    this.service = service;
    this.name = { worker, instance };
    // Needed until the name is this process's, and no longer.
    this.takeOver = takeOver;
    this.handlers = handlers;
    this.jobs = new Map();
    // The jobs that existed before the last heartbeat was sent: only those can be missing from its response.
    this.named = [];
    this.isEnding = false;
    this.wake = new AbortController();
  }

  async run() {
    while (!this.isEnding || this.jobs.size > 0)
      if ((await this.beat()) || this.isEnding) await pause(TICK_MS, this.wake.signal);
    // What was handed out in a response that the end cut off is released.
    await this.beat();
  }

  end(reason) {
    this.isEnding = true;
    for (const { stop } of this.jobs.values()) stop.request(reason);
    this.wake.abort();
  }

  /** Sends a heartbeat and does what it says. Returns whether the next one has to wait. */
  async beat() {
    this.named = [...this.jobs.values()];
    const leases = this.named.map(({ item: { issueId, token } }) => ({ issueId, token }));
    const failing = this.handlers.failing?.() ?? undefined;
    const isTaking = !this.isEnding && failing === undefined;
    const capacity = isTaking ? Math.max(0, this.handlers.capacity(this.jobs.size)) : 0;
    this.wake = new AbortController();
    const signal = this.isEnding ? AbortSignal.timeout(RELEASE_MS) : this.wake.signal;
    const wait = this.isEnding ? 0 : WAIT_SECONDS;
    const body = { ...this.name, ...(this.takeOver && { takeOver: true }), leases, capacity, failing };
    try {
      const heartbeat = await this.service.heartbeat(body, wait, signal, this.handlers.onRetry);
      this.takeOver = false;
      this.handlers.onHeartbeat?.(heartbeat);
      return this.take(heartbeat);
    } catch (error) {
      if (signal.aborted) return false;
      const isAnothers = error.code === 'worker_taken' || error.code === 'worker_superseded';
      for (const { stop } of this.named) stop.request(isAnothers ? 'taken_over' : 'disabled');
      if (error.code !== 'worker_taken') throw error;
      return this.isEnding || this.waitForName(error);
    }
  }

  /** Another process has the name. It may end, and then this one goes on. */
  async waitForName(error) {
    this.handlers.onRetry?.(error);
    await pause((error.retryAfterSeconds ?? 1) * 1000, this.wake.signal);
    return false;
  }

  /** Returns whether the next heartbeat has to wait: the service answers at once while a job that it stopped goes on. */
  take({ work }) {
    const items = new Map((work ?? []).map((item) => [item.issueId, item]));
    for (const { item, stop } of this.named) if (!items.has(item.issueId)) stop.request('lease_lost');
    for (const item of items.values()) {
      const job = this.jobs.get(item.issueId);
      if (item.state === 'stop') job?.stop.request(item.reason ?? 'lease_lost');
      else if (!job) this.begin(item);
      else if (job.item.token !== item.token) job.stop.request('lease_lost');
      else if (job.stop.reason === null) job.hear(item);
    }
    return this.named.some(({ stop }) => stop.reason !== null);
  }

  begin(item) {
    if (this.isEnding) {
      const late = AbortSignal.timeout(RELEASE_MS);
      // A lease that cannot be released ends by itself.
      this.service.release(item.issueId, item.token, 'The worker was stopped.', late).catch(() => undefined);
      return;
    }
    const job = this.handlers.start(item);
    this.jobs.set(item.issueId, job);
    void job.done.finally(() => {
      this.jobs.delete(item.issueId);
      // The free slot is offered at once.
      this.wake.abort();
    });
  }
}

function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
