import { Problem } from '../../../platform/http/problem/problem.js';

/** 409: another process works under this name. */
export class WorkerTaken extends Problem {
  constructor(since: Date, retryAfterSeconds: number) {
    super(
      'worker_taken',
      'Another process works under this worker name: use a name of your own, wait until that process is silent, or send takeOver once it has ended.',
      { members: { since, retryAfterSeconds }, headers: { 'Retry-After': String(retryAfterSeconds) } },
    );
  }
}

/** 409: another process has taken the name over, and the leases with it. */
export class WorkerSuperseded extends Problem {
  constructor() {
    super(
      'worker_superseded',
      'Another process has taken over this worker name and its leases: stop all work, and start again with a new instance.',
    );
  }
}
