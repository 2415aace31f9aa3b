import { problemCodes, type ProblemCode } from './problem-codes.js';

/** One invalid value of a request: `path` is like `entries[0].agentId`, `message` a sentence for a person. */
export interface FieldError {
  path: string;
  message: string;
}

/** The optional parts of a Problem: rows of invalid values, further members, response headers. */
export interface ProblemOptions {
  errors?: FieldError[];
  /** Further members of the response's body, such as `from`, `to`, `allowed` of `invalid_transition`. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/**
 * An error that ends the request with the status of its code (contract §10) and a body in the form of RFC 9457.
 * `detail` is one sentence that says what to do next. It never contains a secret, SQL, a stack or a path of the host.
 */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;
  readonly errors?: FieldError[];
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

/** 400: the invalid values of the request, each with its path. */
export class ValidationFailed extends Problem {
  constructor(errors: FieldError[]) {
    super('validation_failed', errors.map(({ path, message }) => `${path}: ${message}`).join('; '), {
      errors,
    });
  }
}

/** 404, the same for an id that is unknown, malformed or invisible to the caller (contract §1). */
export class NotFound extends Problem {
  constructor() {
    super('not_found', 'There is nothing at this address, or you cannot see it.');
  }
}
