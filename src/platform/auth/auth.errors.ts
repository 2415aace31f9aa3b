import { Problem } from '../http/problem.js';
import type { Role } from './roles.js';

/** 401 with the one challenge of the service; `detail` tells no more than the caller may know. */
export class Unauthenticated extends Problem {
  constructor(detail = 'Send a valid key as `Authorization: Bearer <key>`.') {
    super('unauthenticated', detail, { headers: { 'WWW-Authenticate': 'Bearer realm="awp"' } });
  }
}

/** 403 for a known caller below the threshold. */
export class RoleTooLow extends Problem {
  constructor(needed: Role) {
    super('forbidden', `This needs the role ${needed} or above.`);
  }
}

export class Forbidden extends Problem {
  constructor(detail: string) {
    super('forbidden', detail);
  }
}

export class LastOwner extends Problem {
  constructor() {
    super('last_owner', 'This is the last Owner who can sign in; make another Owner first.');
  }
}

/** 429: more than is good for everyone; `ms` until the next try has a chance. */
export class TooManyRequests extends Problem {
  constructor(ms: number, detail = 'Too many requests; try again later, as Retry-After says.') {
    super('rate_limited', detail, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(ms / 1000))) } });
  }
}
