import { pathOf, sendProblem } from '../problem/problem.filter.js';
import { Problem } from '../problem/problem.js';
import type { FirstStep } from '../service-adapter.js';
import { PROBES } from './probes.js';

/** Answers 404 to everything but the probes: a request that reached a process of this role was sent to the wrong address. */
export function answerProbesOnly(role: string): FirstStep {
  return (request, response, next) => {
    if (PROBES.has(pathOf(request))) return next();
    sendProblem(request, response, new NotForThisRole(role));
  };
}

class NotForThisRole extends Problem {
  constructor(role: string) {
    super(
      'not_found',
      `This process has ROLE=${role} and answers ${[...PROBES].join(', ')} only. Send requests to a process with ROLE=api or ROLE=all.`,
    );
  }
}
