/**
 * Every stable error code of the contract (spec §10) with its HTTP status and its title: the one list
 * that the filter, the OpenAPI document and the refusals share.
 */
export const problemCodes = {
  validation_failed: { status: 400, title: 'The request is not valid' },
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  confirmation_required: { status: 400, title: 'Confirmation required' },
  unauthenticated: { status: 401, title: 'Authentication required' },
  forbidden: { status: 403, title: 'Not allowed' },
  csrf_rejected: { status: 403, title: 'Cross-site request rejected' },
  https_required: { status: 403, title: 'HTTPS required' },
  author_type_mismatch: { status: 403, title: 'Author type does not match the caller' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  invalid_transition: { status: 409, title: 'Change of status not allowed' },
  open_dependents: { status: 409, title: 'Open dependents' },
  dependency_cycle: { status: 409, title: 'Circle of dependencies' },
  link_exists: { status: 409, title: 'Link exists' },
  link_limit: { status: 409, title: 'Too many links' },
  name_taken: { status: 409, title: 'Name taken' },
  not_empty: { status: 409, title: 'Not empty' },
  cross_project_link: { status: 409, title: 'Link across projects' },
  runtime_not_detected: { status: 409, title: 'Runtime not detected' },
  not_installable: { status: 409, title: 'Not installable' },
  missing_variables: { status: 409, title: 'Missing variables' },
  last_owner: { status: 409, title: 'Last owner' },
  lease_lost: { status: 409, title: 'Lease lost' },
  idempotency_key_in_use: { status: 409, title: 'Idempotency key in use' },
  version_mismatch: { status: 412, title: 'Version mismatch' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  range_not_satisfiable: { status: 416, title: 'Range not satisfiable' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key reused' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  package_unavailable: { status: 502, title: 'Package unavailable' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const;

export type ProblemCode = keyof typeof problemCodes;
