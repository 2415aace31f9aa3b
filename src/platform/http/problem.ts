import { problemCodes, type ProblemCode } from './problem-codes.js';

/** One fault of a request: `path` like `entries[0].agentId`, `message` a sentence for a person. */
export interface Fault {
  path: string;
  message: string;
}

/** What a refusal may carry beside its sentence: rows of faults, members of its own, response headers. */
export interface ProblemOptions {
  errors?: Fault[];
  /** Further members of the answer's body, such as `from`, `to`, `allowed` of `invalid_transition`. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/**
 * A refusal. Whoever throws one ends the request with the status of its code (spec §10) and a body in the
 * form of RFC 9457; `detail` is one sentence that says what to do next and never holds a secret, SQL, a
 * stack or a path of the host.
 */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;
  readonly errors?: Fault[];
  readonly members: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    options: ProblemOptions = {},
  ) {
    super(detail);
    this.name = new.target.name;
    ({ status: this.status, title: this.title } = problemCodes[code]);
    this.errors = options.errors;
    this.members = options.members ?? {};
    this.headers = options.headers ?? {};
  }
}

/** 400: the request's own faults, each on its path. */
export class ValidationFailed extends Problem {
  constructor(errors: Fault[]) {
    super('validation_failed', errors.map((fault) => `${fault.path}: ${fault.message}`).join('; '), {
      errors,
    });
  }
}

/** 404, the same for an id that is unknown, malformed or not the caller's to see (spec §1). */
export class NotFound extends Problem {
  constructor() {
    super('not_found', 'There is nothing at this address, or you cannot see it.');
  }
}
