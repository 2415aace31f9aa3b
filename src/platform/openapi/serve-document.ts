import type { INestApplication } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { readFileSync } from 'node:fs';
import type { MappedRoute } from '../http/routes.js';
import type { Document, Operation, Schema } from './openapi-examples.js';

/**
 * Functions that run in the page of Swagger UI. Their text is sent to the browser, so that each one uses nothing but its
 * arguments and what the page has.
 */

/** The part of Swagger UI's system that these functions use. */
interface SwaggerUi {
  getStore(): { subscribe(listener: () => void): void };
  getSystem(): { Im: { Map(entries: object): unknown } };
  oas3Actions: { setRequestBodyValue(change: { value: unknown; pathMethod: string[] }): void };
  oas3Selectors: {
    requestBodyValue(path: string, method: string): { getIn?(path: string[]): unknown } | undefined;
  };
  specActions: {
    changeParamByIdentity(operation: string[], parameter: unknown, value: string, isXml: boolean): void;
  };
  specSelectors: { specJson(): { getIn(path: (string | number)[]): unknown; toJS(): PageSpecification } };
}

interface PageSpecification {
  paths: Record<string, Record<string, { parameters?: PageParameter[] }>>;
}

interface PageParameter {
  in: string;
  name: string;
  example?: unknown;
}

interface PageResponse {
  status: number;
  headers?: Record<string, string | undefined>;
}

/** What a browser offers to the functions below. */
declare const window: { ui: SwaggerUi };
declare const localStorage: { removeItem(name: string): void };

/**
 * Runs when the page is complete. Whenever the form of the upload is empty, as it is when it opens, it gets a small file,
 * which is sent until another one is chosen. A key that an earlier version of this page left in the browser is removed.
 */
function prepareForms(): void {
  localStorage.removeItem('authorized');
  const { ui } = window;
  const pathMethod: [string, string] = ['/api/projects/issues/{issueId}/attachments', 'post'];
  const file = new File(['The notes of the release.\n'], 'notes.txt', { type: 'text/plain' });
  ui.getStore().subscribe(() => {
    const form = ui.oas3Selectors.requestBodyValue(...pathMethod);
    if (form?.getIn?.(['file', 'value']) === '')
      ui.oas3Actions.setRequestBodyValue({ value: ui.getSystem().Im.Map({ file }), pathMethod });
  });
}

/**
 * Puts the ids of an object that was just created into the forms that need them, in the place of the made-up id of the
 * examples. The address of the object is in the header `Location`.
 */
function fillInCreatedIds<Response extends PageResponse>(response: Response): Response {
  const location = response.status === 201 ? response.headers?.['location'] : undefined;
  if (location === undefined) return response;
  const { ui } = window;
  const { paths } = ui.specSelectors.specJson().toJS();
  for (const template of Object.keys(paths)) {
    const form = new RegExp(
      `^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`,
    );
    const ids = form.exec(location)?.groups;
    if (!ids) continue;
    const root = template.slice(0, template.lastIndexOf('}') + 1);
    for (const path of Object.keys(paths).filter((one) => one.startsWith(root)))
      for (const [method, { parameters = [] }] of Object.entries(paths[path]!))
        parameters.forEach(({ in: place, name, example }, index) => {
          const value = ids[name];
          if (place !== 'path' || value === undefined || example !== '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09')
            return;
          const parameter = ui.specSelectors.specJson().getIn(['paths', path, method, 'parameters', index]);
          ui.specActions.changeParamByIdentity([path, method], parameter, value, false);
        });
  }
  return response;
}

/** The one scheme of the page: Swagger UI focuses the last of several, and a browser cannot send a cookie by a form. */
const KEY_SCHEME = {
  key: {
    type: 'http',
    scheme: 'bearer',
    description:
      "Your key: a person's begins with `awp_u_`, an agent's with `awp_a_`. This page forgets it when it is closed or reloaded.",
  },
};

const SESSION_ONLY = 'It needs the session of this browser: execute POST /api/auth/login first.';
const AGENT_ONLY = "It needs an agent's key.";

/** Paths that come first in their group, in this order; the others keep the order of the document. */
const FIRST_OF_GROUP = [
  '/api/auth/login',
  '/api/auth/me',
  '/api/mcp/runtime',
  '/api/mcp/catalog',
  '/api/mcp/catalog/{id}',
  '/api/mcp/installed',
];

/**
 * Returns the document as Swagger UI shows it: one field for any key, no example in an optional parameter, since the page
 * would send it, and errors as one line each instead of one example each. `/api/openapi.json` serves the whole document.
 */
function documentOfPage(whole: Document): Document {
  const document = structuredClone(whole);
  document.paths = Object.fromEntries(
    Object.entries(document.paths).sort(([a], [b]) => rankOf(a) - rankOf(b)),
  );
  document.components.securitySchemes = KEY_SCHEME;
  for (const operations of Object.values(document.paths))
    for (const operation of Object.values(operations)) simplify(operation, document);
  return document;
}

function rankOf(path: string): number {
  const index = FIRST_OF_GROUP.indexOf(path);
  return index < 0 ? FIRST_OF_GROUP.length : index;
}

function simplify(operation: Operation, { components }: Document): void {
  const schemes = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme));
  if (schemes.join() === 'session') addToDescription(operation, SESSION_ONLY);
  if (schemes.join() === 'agent') addToDescription(operation, AGENT_ONLY);
  operation.security = schemes.some((name) => name !== 'session') ? [{ key: [] }] : [];
  for (const parameter of operation.parameters ?? []) moveExample(parameter);
  for (const [status, response] of Object.entries(operation.responses)) {
    if (status < '400') continue;
    const shared =
      response.$ref === undefined ? response : components.responses?.[response.$ref.split('/').at(-1)!];
    operation.responses[status] = { description: shared?.description ?? '' };
  }
}

function addToDescription(operation: Operation, sentence: string): void {
  operation['description'] = [operation['description'], sentence].filter(Boolean).join('\n\n');
}

/** Swagger UI sends the example of a parameter that is left alone: of an optional one it belongs into the description. */
function moveExample(parameter: NonNullable<Operation['parameters']>[number] & { required?: boolean }): void {
  const schema = (parameter as { schema?: Schema }).schema;
  const example = parameter.example ?? schema?.['example'];
  if (parameter.required === true || example === undefined) return;
  delete parameter.example;
  delete schema?.['example'];
  parameter.description = [parameter.description, `Example: \`${String(example)}\`.`]
    .filter(Boolean)
    .join(' ');
}

/** The routes of the document and of Swagger UI. */
export const documentRoutes: MappedRoute[] = [
  { path: '/api/docs', method: 'get' },
  { path: '/api/openapi.json', method: 'get' },
];

/** Groups are closed and can be filtered; the key is not kept in the browser, where any script of this origin reads it. */
const PAGE_OPTIONS = {
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: -1,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  persistAuthorization: false,
  onComplete: prepareForms,
  responseInterceptor: fillInCreatedIds,
};

/**
 * Serves Swagger UI and the committed document, which the build copies here. Generating the document takes the swagger
 * plugin and the compiler in JavaScript, which cost a build 15 s of processor time.
 * `npm run openapi` generates it from the code, and a test compares the two.
 */
export function serveDocument(app: INestApplication): void {
  SwaggerModule.setup(
    'api/docs',
    app,
    () => documentOfPage(committedDocument()) as unknown as OpenAPIObject,
    {
      raw: false,
      customSiteTitle: 'Agent Work Platform API',
      swaggerOptions: PAGE_OPTIONS,
    },
  );
  SwaggerModule.setup('api/docs', app, () => committedDocument() as unknown as OpenAPIObject, {
    ui: false,
    raw: ['json'],
    jsonDocumentUrl: 'api/openapi.json',
  });
}

function committedDocument(): Document {
  return JSON.parse(readFileSync(new URL('./openapi.json', import.meta.url), 'utf8')) as Document;
}
