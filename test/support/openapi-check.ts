import type { Answer, RequestOptions } from './answer.js';
import { mediaOf, PathTable, type OpenApiDocument, type Operation, type Response } from './openapi-paths.js';
import { OpenApiSchemas } from './worker/openapi-schemas.mjs';

declare global {
  /** From worker/environment.mjs. */
  var openApiOfTheWorker: () => { document: OpenApiDocument; schemas: OpenApiSchemas };
}

/** Paths that are served and that the document does not describe, because they are not part of the API. */
const BESIDE_THE_API = /^\/api\/(docs|openapi\.json)/;
const PROBLEM = 'application/problem+json';

/**
 * Checks what a service sends against the OpenAPI document, so that the two cannot diverge: route, status, media type
 * and body of every response, and the body of every request that was accepted. Objects are closed: a field that is not
 * documented is an error. A separate test checks that `docs/openapi.json` is the served document.
 */
export class OpenApiCheck {
  private readonly paths: PathTable;

  constructor(
    document: OpenApiDocument,
    private readonly schemas = new OpenApiSchemas(document),
  ) {
    this.paths = new PathTable(document);
  }

  /** Uses `docs/openapi.json`. */
  static ofTheCommitted(): OpenApiCheck {
    const { document, schemas } = globalThis.openApiOfTheWorker();
    return new OpenApiCheck(document, schemas);
  }

  /** @throws {Error} with every deviation of the response */
  hold(answer: Answer<unknown>, sent: RequestOptions): void {
    const path = answer.path.split('?', 1)[0]!;
    if (BESIDE_THE_API.test(path)) return;
    const route = this.paths.find(path);
    const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
    const operation = route?.operations[method];
    const faults = operation
      ? this.faultsOf(answer, sent, operation, [...route.pointer, method])
      : this.faultsOfNoRoute(answer, route ? [404, 405] : [404]);
    if (faults.length === 0) return;
    throw new Error(
      `The OpenAPI document does not allow this answer to ${answer.method} ${answer.path}:\n` +
        `${faults.map((fault) => `  - ${fault}`).join('\n')}\n${answer.status} ${answer.text.slice(0, 2_000)}`,
    );
  }

  private faultsOfNoRoute(answer: Answer<unknown>, statuses: number[]): string[] {
    if (!statuses.includes(answer.status)) return ['method and path are not documented'];
    if (answer.method === 'HEAD') return [];
    return this.bodyFaults(answer.body, ['components', 'schemas', 'Problem'], { closed: false });
  }

  private faultsOf(
    answer: Answer<unknown>,
    sent: RequestOptions,
    operation: Operation,
    pointer: string[],
  ): string[] {
    const documented = this.paths.responseOf(operation, pointer, answer.status);
    if (!documented) return [`status ${answer.status} is not documented`];
    return [
      ...this.contentFaults(answer, documented.response, documented.pointer),
      ...(answer.headers['x-request-id'] ? [] : ['no X-Request-Id']),
      ...(answer.status === 201 && !answer.headers['location'] ? ['201 without a Location'] : []),
      ...(answer.status < 300 ? this.requestFaults(sent, operation, pointer) : []),
    ];
  }

  private contentFaults(answer: Answer<unknown>, response: Response, pointer: string[]): string[] {
    if (answer.method === 'HEAD') return [];
    const media = mediaOf(answer.headers['content-type']);
    if (answer.status >= 400 && media !== PROBLEM && !response.content?.['application/json'])
      return [`a refusal must be ${PROBLEM}, not ${media}`];
    if (!response.content) return answer.bytes.length > 0 ? ['a body where none is documented'] : [];
    const documented = [media, '*/*'].find((name) => response.content?.[name]);
    if (!documented) return [`media type ${media} is not documented`];
    if (!/[/+]json$/.test(media)) return [];
    return this.bodyFaults(answer.body, [...pointer, 'content', documented, 'schema']);
  }

  private requestFaults({ body }: RequestOptions, operation: Operation, pointer: string[]): string[] {
    if (body === undefined) return [];
    if (!operation.requestBody?.content['application/json'])
      return Object.keys(body as object).length > 0 ? ['an undocumented body was accepted'] : [];
    const schema = [...pointer, 'requestBody', 'content', 'application/json', 'schema'];
    return this.bodyFaults(body, schema).map((fault) => `accepted, but the request ${fault}`);
  }

  private bodyFaults(body: unknown, pointer: string[], { closed } = { closed: true }): string[] {
    const validate = this.schemas.at(pointer);
    if (validate(body)) return [];
    return (validate.errors ?? [])
      .filter(({ keyword }) => closed || keyword !== 'unevaluatedProperties')
      .map(({ instancePath, message, params }) => `body${instancePath} ${message} ${JSON.stringify(params)}`);
  }
}
