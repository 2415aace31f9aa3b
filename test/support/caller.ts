import type { Readable } from 'node:stream';
import { request, type Dispatcher, type FormData } from 'undici';
import type { Service } from './service.js';
import { holdToCanaries } from './stored-secrets.js';
import type { Loose } from './wire.js';

/** An answer; `body` is its JSON, or undefined where it has none. */
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

/** At most one of `body` (sent as JSON), `rawBody` (as it stands) and `multipart`. */
export interface RequestOptions {
  body?: unknown;
  rawBody?: string | Buffer | Readable;
  multipart?: FormData;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Who a caller is: `id` and `name` of its user or agent, where the test made one. */
export interface Identity {
  key?: string;
  id?: string;
  name?: string;
  /** Sent with each request: a session's cookie. */
  headers?: Record<string, string>;
  /** false: answers are not held against the OpenAPI document. Only for what the document can't speak of. */
  checked?: boolean;
}

/** Somebody who calls the service. Each answer is held against the OpenAPI document of that service. */
export class Caller {
  readonly key: string | null;
  readonly id: string;
  readonly name: string;
  readonly headers: Record<string, string>;
  private readonly checked: boolean;

  constructor(
    readonly service: Service,
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
    if (this.checked) (await this.service.openApi()).hold(answer, options);
    await holdToCanaries(this, answer, options.body);
    return answer;
  }

  /** Sends the request and gives the open answer, unread and unchecked: for streams. Whoever opens it ends it. */
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

  /** The same caller, whose answers are not held against the document. */
  unchecked(): Caller {
    return new Caller(this.service, { ...this.identity, checked: false });
  }

  /** The same caller at another process of the service. */
  at(service: Service): Caller {
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
