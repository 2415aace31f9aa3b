import type { Readable } from 'node:stream';
import type { Dispatcher, FormData } from 'undici';
import type { Answer, RequestOptions } from './answer.js';
import type { OpenApiCheck } from './openapi-check.js';
import { holdToCanaries } from './stored-secrets.js';
import type { Loose } from './wire.js';
import { request } from './worker/undici.cjs';

/** The part of the service under test that a caller uses. */
export interface CalledService {
  /** Like `http://127.0.0.1:41234`. */
  readonly baseUrl: string;
  readonly connections: Dispatcher;
  readonly owner: Caller;
  openApi(): OpenApiCheck;
}

/** Who a caller is: `id` and `name` of its user or agent, where the test made one. */
export interface Identity {
  key?: string;
  id?: string;
  name?: string;
  /** The cookie of a session, sent with each request. */
  headers?: Record<string, string>;
  /** false: responses are not checked against the OpenAPI document. Only for what the document cannot describe. */
  checked?: boolean;
}

/** A client of the service. Each response is checked against the OpenAPI document of that service. */
export class Caller {
  readonly key: string | null;
  readonly id: string;
  readonly name: string;
  readonly headers: Record<string, string>;
  private readonly checked: boolean;

  constructor(
    readonly service: CalledService,
    identity: Identity,
  ) {
    this.headers = identity.headers ?? {};
    this.key = identity.key ?? null;
    this.id = identity.id ?? '';
    this.name = identity.name ?? '';
    this.checked = identity.checked ?? true;
  }

  get<Body = Loose>(path: string, options: RequestOptions = {}): Promise<Answer<Body>> {
    return this.request<Body>('GET', path, options);
  }

  post<Body = Loose>(path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer<Body>> {
    return this.request<Body>('POST', path, { body, ...options });
  }

  put<Body = Loose>(path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer<Body>> {
    return this.request<Body>('PUT', path, { body, ...options });
  }

  delete<Body = Loose>(path: string, options: RequestOptions = {}): Promise<Answer<Body>> {
    return this.request<Body>('DELETE', path, options);
  }

  /** @param path from the root, with its query: `/api/projects?limit=2` */
  async request<Body = Loose>(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer<Body>> {
    const response = await this.open(method, path, options);
    const bytes = Buffer.from(await response.body.arrayBuffer());
    const headers = flat(response.headers);
    const text = bytes.toString('utf8');
    const answer = {
      method,
      path,
      status: response.statusCode,
      headers,
      body: jsonOf<Body>(headers, text),
      text,
      bytes,
    };
    if (this.checked) this.service.openApi().hold(answer, options);
    await holdToCanaries(this.service.owner.unchecked(), answer, options.body);
    return answer;
  }

  /** Sends the request and returns the open response, unread and unchecked, for streams. The test closes it. */
  open(method: string, path: string, options: RequestOptions = {}): Promise<Dispatcher.ResponseData> {
    const { body, type } = bodyOf(options);
    const headers = {
      ...(this.key && { authorization: `Bearer ${this.key}` }),
      ...this.headers,
      ...type,
      ...options.headers,
    };
    return request(this.service.baseUrl + path, {
      method: method as Dispatcher.HttpMethod,
      headers,
      body,
      dispatcher: this.service.connections,
      signal: options.signal,
    });
  }

  /** Returns the same caller without the check against the document. */
  unchecked(): Caller {
    return new Caller(this.service, { ...this.identity, checked: false });
  }

  /** Returns the same caller at another process of the service. */
  at(service: CalledService): Caller {
    return new Caller(service, this.identity);
  }

  private get identity(): Identity {
    const { id, name, headers, checked } = this;
    return { key: this.key ?? undefined, id, name, headers, checked };
  }
}

function bodyOf({ body, rawBody, multipart }: RequestOptions): {
  body?: string | Buffer | Readable | FormData;
  type?: Record<string, string>;
} {
  if (multipart) return { body: multipart };
  if (rawBody !== undefined) return { body: rawBody };
  return body === undefined
    ? {}
    : { body: JSON.stringify(body), type: { 'content-type': 'application/json' } };
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
}

function jsonOf<Body>(headers: Record<string, string>, text: string): Body {
  const isJson = /^application\/(problem\+)?json\b/.test(headers['content-type'] ?? '');
  return (isJson && text !== '' ? JSON.parse(text) : undefined) as Body;
}
