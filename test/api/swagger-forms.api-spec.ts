import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createdBy } from '../support/builders.js';
import { asUser } from '../support/callers.js';
import { dashboardBrowser, noChromium } from '../support/dashboard.js';
import type { OpenApiDocument } from '../support/openapi-paths.js';
import { useService } from '../support/service.js';
import { filledForm } from '../support/swagger-form.js';
import { SwaggerPage } from '../support/swagger-page.js';

const service = useService();

type Form = [group: string, method: string, path: string, status: number];

/** Swagger UI draws all forms of a group for each press, which takes seconds of a processor. */
const inFull = (...forms: Form[]) => (process.env['TEST_SIZE'] === 'full' ? forms : []);

/** What a newcomer executes, on a new instance. A link needs two issues, so that form comes after the second one. */
const CHAIN: Form[] = [
  ['Projects', 'POST', '/api/projects', 201],
  ...inFull(['Projects', 'PUT', '/api/projects/{projectId}', 200]),
  ['Issues', 'POST', '/api/projects/{projectId}/issues', 201],
  ...inFull(
    ['Issues', 'POST', '/api/projects/{projectId}/issues', 201],
    ['Links', 'POST', '/api/projects/issues/{issueId}/links', 201],
  ),
  ...inFull(['Comments', 'POST', '/api/projects/issues/{issueId}/comments', 201]),
  ['Attachments', 'POST', '/api/projects/issues/{issueId}/attachments', 201],
  ['Agents', 'POST', '/api/agents', 201],
];

/** Forms that need the id of an object which the chain created: the page fills it in. */
const WITH_CREATED_IDS: Form[] = [
  ...inFull(['Comments', 'PUT', '/api/projects/comments/{commentId}', 200]),
  ['Attachments', 'GET', '/api/projects/attachments/{attachmentId}/download', 200],
  ['Agents', 'POST', '/api/agents/{agentId}/keys', 201],
  ['Agents', 'DELETE', '/api/agents/{agentId}/keys/{keyId}', 204],
];

/** Further forms that succeed as they are, sent without a browser. */
const FORMS: [method: string, path: string, status: number][] = [
  ['GET', '/api/auth/me', 200],
  ['GET', '/api/agents', 200],
  ['GET', '/api/mcp/catalog/{id}', 200],
  ['GET', '/api/mcp/installed', 200],
  ['GET', '/api/projects/{projectId}', 200],
  ['PUT', '/api/projects/{projectId}', 200],
  ['POST', '/api/projects/{projectId}/goals', 201],
  ['POST', '/api/projects/{projectId}/labels', 201],
  ['POST', '/api/projects/{projectId}/schedules', 201],
  ['GET', '/api/projects/{projectId}/issues', 200],
  ['POST', '/api/projects/{projectId}/issues', 201],
  ['POST', '/api/projects/issues/{issueId}/links', 201],
  ['GET', '/api/projects/issues/{issueId}', 200],
  ['PUT', '/api/projects/issues/{issueId}', 200],
  ['GET', '/api/projects/issues/{issueId}/activity', 200],
  ['GET', '/api/projects/issues/{issueId}/explain', 200],
  ['GET', '/api/projects/issues/{issueId}/links', 200],
  ['POST', '/api/projects/issues/{issueId}/comments', 201],
  ['POST', '/api/agents', 201],
  ['POST', '/api/users', 201],
  ['POST', '/api/auth/keys', 201],
  ['POST', '/api/webhooks', 201],
  ['GET', '/api/audit', 200],
];

const TEST_MS = 300_000;
const itInFull = process.env['TEST_SIZE'] === 'full' ? it : it.skip;

const inBrowser = noChromium === null ? describe : describe.skip;
if (noChromium !== null) console.warn(`Swagger UI is not tested in a browser: ${noChromium}.`);

inBrowser('Swagger UI in a browser, on a new instance', () => {
  // One page for all: it takes seconds to draw.
  const browser = dashboardBrowser(() => service);
  let page: Page;
  let swagger: SwaggerPage;
  let problems: string[];
  beforeAll(async () => {
    ({ page, problems } = await browser.open('/api/docs'));
    swagger = new SwaggerPage(page);
  });

  it('shows every group closed, in a sensible order, and a filter that leaves one of them', async () => {
    await swagger.group('Audit').waitFor();
    expect(await page.locator('.opblock').count()).toBe(0);
    expect((await swagger.groups()).slice(0, 3)).toEqual(['Projects', 'Goals', 'Issues']);
    await page.locator('.operation-filter-input').fill('Webhooks');
    await swagger.group('Audit').waitFor({ state: 'detached' });
    expect(await swagger.groups()).toEqual(['Webhooks']);
    await page.locator('.operation-filter-input').fill('');
    await swagger.group('Audit').waitFor();
  });

  it(
    'takes the pasted key of the Owner, and succeeds with each example in turn',
    async () => {
      await swagger.authorize(service.ownerKey);
      for (const [group, method, path, status] of CHAIN)
        expect([method, path, await swagger.execute(group, method, path)]).toEqual([method, path, status]);
    },
    TEST_MS,
  );

  it(
    'fills the ids of what was created into the forms that need them',
    async () => {
      for (const [group, method, path, status] of WITH_CREATED_IDS)
        expect([method, path, await swagger.execute(group, method, path)]).toEqual([method, path, status]);
    },
    TEST_MS,
  );

  itInFull(
    'lets a Viewer read, and shows the refusal of what a Viewer may not do',
    async () => {
      await swagger.logOut();
      await swagger.authorize((await asUser(service, 'Viewer')).key!);
      expect(await swagger.execute('Projects', 'GET', '/api/projects/{projectId}')).toBe(200);
      expect(await swagger.execute('Comments', 'POST', '/api/projects/issues/{issueId}/comments')).toBe(403);
    },
    TEST_MS,
  );

  it(
    'lets an agent work with its own key in the same field',
    async () => {
      await swagger.logOut();
      const { key } = await createdBy<{ key: string }>(service.owner, '/api/agents', { name: 'Swagger' });
      await swagger.authorize(key);
      expect(await swagger.execute('Agents at work', 'POST', '/api/agents/{agentId}/heartbeat')).toBe(200);
      expect(await swagger.execute('Agents', 'POST', '/api/agents')).toBe(403);
    },
    TEST_MS,
  );

  it('keeps no key in the browser, and breaks no rule of its own policy', async () => {
    await page.reload();
    await swagger.group('Audit').waitFor();
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).toBe(
      '[{},{}]',
    );
    // The browser notes each refusal above in its console.
    expect(problems.filter((problem) => !problem.includes('status of 403'))).toEqual([]);
  });
});

// This needs no browser: the test builds from the document what Swagger UI would send.
it('succeeds with each further example, sent unchanged after the project and its first issue', async () => {
  const { owner } = service;
  const document = (await owner.unchecked().get<OpenApiDocument>('/api/openapi.json')).body;
  const send = async (method: string, path: string) => {
    const form = filledForm(document, method, path);
    const { status, text } = await owner.request(form.method, form.path, form.options);
    return { method, path, status, text };
  };
  if ((await owner.get('/api/projects/DOCS')).status === 404) await send('POST', '/api/projects');
  await send('POST', '/api/projects/{projectId}/issues');
  for (const [method, path, status] of FORMS)
    expect(await send(method, path)).toEqual({ method, path, status, text: expect.any(String) });
});
