import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenApiDocument } from '../support/openapi-paths.js';
import { useService } from '../support/service.js';
import { filledForm } from '../support/swagger-form.js';

const service = useService();
beforeAll(async () => {
  const env = { ...process.env, BASE_URL: service.baseUrl, API_KEY: service.ownerKey };
  await promisify(execFile)(process.execPath, ['scripts/demo.mjs', '--offline'], { env });
});

// No browser is needed for it: what Swagger UI would send is made from the document by its rules.
describe('after Authorize, the form of Swagger UI, sent as it stands on what the demo has left,', () => {
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
  ])('%s %s succeeds', async (method, template) => {
    const document = (await service.owner.unchecked().get<OpenApiDocument>('/api/openapi.json')).body;
    const form = filledForm(document, method, template);
    const { status, text } = await service.owner.request(form.method, form.path, form.options);
    expect({ status, text }).toEqual({ status: method === 'POST' ? 201 : 200, text });
  });
});
