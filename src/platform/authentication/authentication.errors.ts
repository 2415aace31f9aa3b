import { Problem } from '../http/problem.js';
import type { Role } from './principals-and-roles.js';

/** 401 with the one challenge of the service. The `detail` discloses nothing that only the owner of a key may know. */
export class Unauthenticated extends Problem {
  constructor(detail = 'Send a valid key as `Authorization: Bearer <key>`.') {
    super('unauthenticated', detail, { headers: { 'WWW-Authenticate': 'Bearer realm="awp"' } });
  }
}

/** 401 for a session cookie alone on a route that accepts keys only (contract §2.2). */
export class SessionNotEnough extends Unauthenticated {
  constructor() {
    super(
      'A session is not enough here. Send a key as `Authorization: Bearer <key>`. ' +
        'A signed-in Admin gets one for 15 minutes from POST /api/auth/elevate.',
    );
  }
}

/** 403 for an authenticated caller whose role is too low. */
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

/** 403: a disabled agent reads and sends heartbeats, and changes nothing (contract §4.2). */
export class AgentDisabled extends Problem {
  constructor() {
    super('agent_disabled', 'This agent is disabled: stop work. A person can enable it again.');
  }
}

export class LastOwner extends Problem {
  constructor() {
    super(
      'last_owner',
      'This is the last Owner who can sign in. Make another user Owner first, with a password or a key.',
    );
  }
}

/** 429. `ms` is the time until the next request can succeed. */
export class TooManyRequests extends Problem {
  constructor(ms: number, detail = 'Too many requests. Try again after the time in Retry-After.') {
    super('rate_limited', detail, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(ms / 1000))) } });
  }
}
