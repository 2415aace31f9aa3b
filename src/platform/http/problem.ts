/**
 * Every stable error code (contract §10) with its HTTP status and its title. The filter, the OpenAPI document and the
 * error classes share this list.
 */
export const problemCodes = {
  validation_failed: { status: 400, title: 'The request is not valid' },
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_logout_token: { status: 400, title: 'Invalid logout token' },
  confirmation_required: { status: 400, title: 'Confirmation required' },
  unauthenticated: { status: 401, title: 'Authentication required' },
  forbidden: { status: 403, title: 'Not allowed' },
  not_yours: { status: 403, title: 'Not assigned to you' },
  lease_required: { status: 403, title: 'Lease required' },
  assignment_refused: { status: 403, title: 'Assignment refused' },
  agent_disabled: { status: 403, title: 'Agent disabled' },
  wrong_password: { status: 403, title: 'Wrong password' },
  confirmation_missing: { status: 403, title: 'Confirmation missing' },
  password_login_off: { status: 403, title: 'Password sign-in is off' },
  approval_denied: { status: 403, title: 'Call denied' },
  csrf_rejected: { status: 403, title: 'Cross-site request rejected' },
  https_required: { status: 403, title: 'HTTPS required' },
  author_type_mismatch: { status: 403, title: 'Author type does not match the caller' },
  not_found: { status: 404, title: 'Not found' },
  attachment_bytes_missing: { status: 404, title: 'Attachment bytes missing' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  invalid_transition: { status: 409, title: 'Status change not allowed' },
  open_dependents: { status: 409, title: 'Open dependents' },
  open_children: { status: 409, title: 'Open children' },
  dependency_cycle: { status: 409, title: 'Dependency cycle' },
  link_exists: { status: 409, title: 'Link exists' },
  link_limit: { status: 409, title: 'Too many links' },
  child_limit: { status: 409, title: 'Too many children' },
  depth_limit: { status: 409, title: 'Too many levels' },
  snooze_limit: { status: 409, title: 'Too many snoozed items' },
  label_limit: { status: 409, title: 'Too many labels' },
  view_limit: { status: 409, title: 'Too many views' },
  schedule_limit: { status: 409, title: 'Too many schedules' },
  name_taken: { status: 409, title: 'Name taken' },
  in_use: { status: 409, title: 'In use' },
  credential_set_limit: { status: 409, title: 'Too many credential sets' },
  credentials_revoked: { status: 409, title: 'Credentials revoked' },
  not_empty: { status: 409, title: 'Not empty' },
  cross_project_link: { status: 409, title: 'Link across projects' },
  runtime_not_detected: { status: 409, title: 'Runtime not detected' },
  not_importable: { status: 409, title: 'Not importable' },
  not_installable: { status: 409, title: 'Not installable' },
  missing_variables: { status: 409, title: 'Missing variables' },
  sign_in_not_offered: { status: 409, title: 'No sign-in at this server' },
  last_owner: { status: 409, title: 'Last owner' },
  lease_token_required: { status: 409, title: 'Lease token required' },
  gate_closed: { status: 409, title: 'Gate closed' },
  question_pending: { status: 409, title: 'Question pending' },
  question_unanswered: { status: 409, title: 'Question unanswered' },
  approval_pending: { status: 409, title: 'Approval pending' },
  approval_expired: { status: 409, title: 'Approval expired' },
  approval_withdrawn: { status: 409, title: 'Approval withdrawn' },
  approval_outdated: { status: 409, title: 'Approval outdated' },
  lease_lost: { status: 409, title: 'Lease lost' },
  worker_taken: { status: 409, title: 'Worker name taken' },
  worker_superseded: { status: 409, title: 'Worker superseded' },
  webhook_disabled: { status: 409, title: 'Webhook disabled' },
  idempotency_key_in_use: { status: 409, title: 'Idempotency key in use' },
  events_gone: { status: 410, title: 'Events gone' },
  version_mismatch: { status: 412, title: 'Version mismatch' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  range_not_satisfiable: { status: 416, title: 'Range not satisfiable' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key reused' },
  answer_too_large: { status: 422, title: 'Answer too large' },
  gate_limit: { status: 429, title: 'Too many open gates' },
  rate_limited: { status: 429, title: 'Too many requests' },
  quota_exceeded: { status: 429, title: 'Quota exceeded' },
  internal: { status: 500, title: 'Internal error' },
  package_unavailable: { status: 502, title: 'Package unavailable' },
  sign_in_unavailable: { status: 502, title: 'Sign-in unavailable' },
  database_read_only: { status: 503, title: 'Database read-only' },
  storage_full: { status: 503, title: 'Storage full' },
  outcome_unknown: { status: 503, title: 'Outcome unknown' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const;

export type ProblemCode = keyof typeof problemCodes;

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
    super(
      'validation_failed',
      errors.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '),
      {
        errors,
      },
    );
  }
}

/** 404, the same for an id that is unknown, malformed or invisible to the caller (contract §1). */
export class NotFound extends Problem {
  constructor() {
    super('not_found', 'There is nothing at this address, or you cannot see it.');
  }
}

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
