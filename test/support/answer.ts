import type { Readable } from 'node:stream';
import type { FormData } from 'undici';
import type { Loose } from './wire.js';

/** A response. `body` is its parsed JSON, or undefined when it has none. */
export interface Answer<Body = Loose> {
  method: string;
  path: string;
  status: number;
  /** Names in lower case; several values of one name are joined by a comma. */
  headers: Record<string, string>;
  body: Body;
  text: string;
  bytes: Buffer;
}

/** At most one of `body` (sent as JSON), `rawBody` (sent unchanged) and `multipart`. */
export interface RequestOptions {
  body?: unknown;
  rawBody?: string | Buffer | Readable;
  multipart?: FormData;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}
