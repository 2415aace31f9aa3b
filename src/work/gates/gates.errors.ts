import { Problem } from '../../platform/http/problem.js';
import type { GateRow } from './gate.repository.js';

/** 409: someone or something else closed the gate first. It names who, and when. */
export class GateClosed extends Problem {
  constructor({ state, closedByName, closedByType: type, closedById: id, closedAt }: GateRow) {
    const by = type && { type, id, name: closedByName };
    super(
      'gate_closed',
      state === 'expired'
        ? `The gate expired at ${closedAt?.toISOString()}; nothing waits for it any more.`
        : `${closedByName} has ${state} the gate at ${closedAt?.toISOString()}; only the first answer counts.`,
      { members: { state, by, at: closedAt } },
    );
  }
}

/** 429: an agent asks no further question while so many of its own wait for a person. */
export class GateLimit extends Problem {
  constructor(limit: number) {
    super(
      'gate_limit',
      `You have ${limit} open gates, as many as an agent may have: wait until a person has answered one, or withdraw one.`,
    );
  }
}
