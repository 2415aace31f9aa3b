import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser, noBrowser } from '../support/browser.js';
import { createdBy } from '../support/builders.js';
import type { OpenApiDocument } from '../support/openapi-paths.js';
import { useService } from '../support/service.js';
import { filledForm } from '../support/swagger-form.js';

const service = useService();
beforeAll(async () => {
  const env = { ...process.env, BASE_URL: service.baseUrl, API_KEY: service.ownerKey };
  await promisify(execFile)(process.execPath, ['scripts/demo.mjs', '--offline'], { env });
}, 180_000);

// These need no browser: the test builds from the document what Swagger UI would send.
describe('the form of Swagger UI, sent unchanged after Authorize on the data of the demo', () => {
  it.each([
    ['GET', '/api/auth/me'],
    ['GET', '/api/agents'],
    ['GET', '/api/mcp/catalog/{id}'],
    ['GET', '/api/mcp/installed'],
    ['GET', '/api/projects/{projectId}'],
    ['GET', '/api/projects/{projectId}/issues'],
    ['GET', '/api/projects/issues/{issueId}'],
    ['GET', '/api/projects/issues/{issueId}/activity'],
    ['GET', '/api/projects/issues/{issueId}/explain'],
    ['GET', '/api/projects/issues/{issueId}/links'],
    ['POST', '/api/projects'],
    ['POST', '/api/projects/{projectId}/goals'],
    ['POST', '/api/projects/{projectId}/issues'],
    ['POST', '/api/projects/issues/{issueId}/comments'],
    ['PUT', '/api/projects/issues/{issueId}'],
    ['POST', '/api/agents'],
    ['POST', '/api/users'],
    ['POST', '/api/auth/keys'],
    ['GET', '/api/audit'],
  ])('succeeds for %s %s', async (method, template) => {
    const document = (await service.owner.unchecked().get<OpenApiDocument>('/api/openapi.json')).body;
    const form = filledForm(document, method, template);
    const { status, text } = await service.owner.request(form.method, form.path, form.options);
    expect({ status, text }).toEqual({ status: method === 'POST' ? 201 : 200, text });
  });
});

// The same in a real browser, where this host has one, for operations of many areas.
const inBrowser = noBrowser === null ? describe : describe.skip;
if (noBrowser !== null) console.warn(`Swagger UI is not tested in a browser: there is no ${noBrowser}.`);

inBrowser('Swagger UI in a browser, after Authorize', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await Browser.start();
    await browser.open(`${service.baseUrl}/api/docs`);
    await authorize('user', service.ownerKey);
    await authorize('agent', await keyOfAnAgent());
  }, 180_000);
  afterAll(() => browser?.stop());

  it.each([
    ['POST', '/api/projects/{projectId}/goals', 201],
    ['POST', '/api/projects/{projectId}/issues', 201],
    ['GET', '/api/projects/issues/{issueId}/links', 200],
    ['POST', '/api/projects/issues/{issueId}/comments', 201],
    ['GET', '/api/projects/issues/{issueId}/attachments', 200],
    ['GET', '/api/agents', 200],
    ['POST', '/api/agents/{agentId}/heartbeat', 200],
    ['GET', '/api/mcp/catalog/{id}', 200],
    ['POST', '/api/auth/keys', 201],
    ['POST', '/api/webhooks', 201],
    ['GET', '/api/audit', 200],
    ['GET', '/readyz', 200],
  ])('executes the form of %s %s', async (method, path, status) => {
    const block = `//*[@data-path="${path}"]/ancestor::*[contains(@class, "opblock-${method.toLowerCase()}")]`;
    await browser.click(`${block}//*[@data-path]`);
    await browser.click(`${block}//button[contains(@class, "execute")]`);
    const responses = `${block}//*[contains(@class, "live-responses-table")]//tbody`;
    expect(await browser.text(`${responses}//td[contains(@class, "response-col_status")]`)).toBe(`${status}`);
    // Close it again: every open operation is drawn again with each click.
    await browser.click(`${block}//*[@data-path]`);
  });

  async function authorize(scheme: string, key: string): Promise<void> {
    const form = `//*[contains(@class, "auth-container")][.//code[text()="${scheme}"]]`;
    await browser.click('//*[contains(@class, "auth-wrapper")]/button[contains(@class, "authorize")]');
    await browser.type(`${form}//input`, key);
    await browser.click(`${form}//button[@type="submit"]`);
    await browser.click(`${form}//button[contains(@class, "btn-done")]`);
  }

  async function keyOfAnAgent(): Promise<string> {
    const [agent] = (await service.owner.get<{ id: string }[]>('/api/agents')).body;
    return (await createdBy<{ key: string }>(service.owner, `/api/agents/${agent!.id}/keys`, { name: 'ui' }))
      .key;
  }
});
