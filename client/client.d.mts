import type { Client, ClientOptions } from 'openapi-fetch';
import type { components, paths } from './schema.js';

/** The service's API: a path, a field or a value that is not in its OpenAPI document is a type error. */
export type Api = Client<paths>;

/** The objects of requests and responses, such as `Schemas['IssueResponse']`. */
export type Schemas = components['schemas'];

/** Returns the API of the service at `url` for the holder of a key, a person's or an agent's. */
export function apiAt(url: string, key: string, options?: Omit<ClientOptions, 'baseUrl' | 'headers'>): Api;

/** The body of an error: problem details (RFC 9457) with a stable code. */
export interface Problem {
  code?: string;
  detail?: string;
  [field: string]: unknown;
}

/** The service refused a request. */
export class Refused extends Error {
  constructor(response: Response, problem: Problem | undefined);
  /** The HTTP status. */
  readonly status: number;
  /** The stable code of the problem, such as `lease_lost`. */
  readonly code: string | undefined;
  /** The whole problem, with the fields that its code has. */
  readonly problem: Problem | undefined;
  /** What `Retry-After` says. */
  readonly retryAfterSeconds: number | undefined;
}

/** Returns the body of a response. @throws {Refused} when the service refused the request, or sent no body */
export function dataOf<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<NonNullable<T>>;

/** What a repeated request sends each time. Spread it into the options of the request. */
export interface Repeated {
  headers: { 'Idempotency-Key': string };
  signal: AbortSignal | undefined;
}

/**
 * Repeats a request until the service answers it, each time with the same `Idempotency-Key`, so that it has its effect once.
 * @throws {Refused} when the answer is a refusal
 */
export function untilAnswered<T>(
  request: (options: Repeated) => Promise<{ data?: T; error?: unknown; response: Response }>,
  signal?: AbortSignal,
  onRetry?: (error: Error) => void,
): Promise<NonNullable<T>>;

/** Returns whether the same request can succeed later: nothing was answered, or the service is busy or away. */
export function mayPass(error: unknown): boolean;

/** Returns the milliseconds before a request is repeated: longer each time, and never in step with other clients. */
export function pauseAfter(attempt: number, error: unknown): number;
