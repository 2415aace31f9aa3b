import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anIssue, aProject } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAdmin } from '../../../support/callers.js';
import { refused } from '../../../support/refusal.js';
import { useService } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { anAttachment, file } from '../attachments.forms.js';

/** An object store that answers what is written, and of what is read no more than `gives` bytes, and then nothing. */
const objects = new Map<string, Buffer>();
let gives: number | null = null;
let waiting = 0;
const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url!, 'http://store');
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  if (request.method === 'PUT') objects.set(pathname, Buffer.concat(parts));
  const bytes = objects.get(pathname);
  if (request.method !== 'GET') return void response.writeHead(200, { etag: '"x"' }).end();
  if (!bytes) return void response.writeHead(501).end();
  if (gives === null) return void response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  waiting += 1;
  if (gives > 0) response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, gives));
}

const settings: Record<string, string> = {};
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  Object.assign(settings, {
    ...{ ATTACHMENT_STORE: 's3', S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's' },
    S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
});
const service = useService({ settings });
let admin: Caller;
beforeAll(async () => {
  admin = await asAdmin(service);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it.each([
  ['does not answer', 0],
  ['stops in the middle of a file', 100_000],
])('an archive from a store that %s gives its place to others when its reader leaves', async (_, bytes) => {
  const project = await aProject(admin);
  await anAttachment(admin, await anIssue(admin, project), file(Buffer.alloc(1_000_000, 'k')));
  const path = `/api/projects/${project.id}/export?attachments=true`;
  [gives, waiting] = [bytes, 0];
  const leave = new AbortController();
  const { signal } = leave;
  const read = () =>
    fetch(`${service.baseUrl}${path}`, { headers: { authorization: `Bearer ${admin.key}` }, signal });
  await Promise.all([read(), read()]);
  await until(() => waiting === 2);
  expect(await admin.get(path)).toMatchObject(refused(429, 'rate_limited'));
  leave.abort();
  gives = null;
  await until(async () => (await admin.get(path)).status === 200, 10);
});
