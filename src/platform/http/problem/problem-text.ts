import type { Problem } from './problem.js';

/**
 * Returns the body of an error response in the form of RFC 9457 (contract §1).
 * @param instance path of the request; empty when it had none
 */
export function problemText(problem: Problem, instance: string, requestId: string): string {
  return JSON.stringify({
    type: `urn:agent-work-platform:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    instance,
    code: problem.code,
    message: problem.detail,
    requestId,
    ...(problem.errors && { errors: problem.errors }),
    ...problem.members,
  });
}
