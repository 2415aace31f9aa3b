import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { anIssue, aProject } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAdmin } from '../../../support/callers.js';
import { refused } from '../../../support/refusal.js';
import { useService } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { anAttachment, file } from '../attachments.forms.js';
import { ended, type Imported, send } from './import-requests.js';

const AT = '2026-01-02T03:04:05.000Z';
const A_FILE = [
  { kind: 'project', format: 'agent-work-platform', version: 1 },
  {
    ...{
      kind: 'issue',
      externalId: 'x:1',
      title: 'Only one',
      description: 'text',
      status: 'Open',
      labels: [],
    },
    ...{ createdBy: { type: 'user', name: 'Ada' }, createdAt: AT, updatedAt: AT },
  },
  { kind: 'end' },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

/**
 * An object store that answers what is written, and of what is read no more than `gives` bytes, and then nothing. While it is `away`
 * it cuts the connections of those who read.
 */
const objects = new Map<string, Buffer>();
let gives: number | null = null;
let waiting = 0;
let away = false;
let cut = 0;
const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url!, 'http://store');
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  if (request.method === 'PUT') objects.set(pathname, Buffer.concat(parts));
  const bytes = objects.get(pathname);
  if (request.method !== 'GET') return void response.writeHead(200, { etag: '"x"' }).end();
  if (!bytes) return void response.writeHead(501).end();
  if (away) {
    cut += 1;
    return void request.socket.destroy();
  }
  if (gives === null) return give(response, bytes, request.headers.range!);
  waiting += 1;
  if (gives > 0) response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, gives));
}

function give(response: ServerResponse, bytes: Buffer, range: string): void {
  const [start, end] = range.replace('bytes=', '').split('-').map(Number);
  const part = bytes.subarray(start, end! + 1);
  response.writeHead(206, { 'content-length': part.length }).end(part);
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
afterEach(() => {
  [gives, away] = [null, false];
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

/** An import that has asked a store that is away, and its row. The SDK asks three times. */
async function waitingImport() {
  [away, cut] = [true, 0];
  const { body: started } = await send(admin, await aProject(admin), A_FILE);
  await until(() => cut >= 3, 30);
  return { started, row: (await rowOf(started))! };
}

async function rowOf({ id }: Imported) {
  const of = 'SELECT claim, attempts, state FROM imports WHERE id = $1';
  return (await service.sql<{ claim: string; attempts: number; state: string }>(of, [id]))[0];
}

it('an import waits for a store that is away, without a new attempt', async () => {
  const { started, row } = await waitingImport();
  expect(row).toMatchObject({ state: 'running', attempts: 1 });
  await until(() => cut >= 12, 30);
  expect(await rowOf(started)).toEqual(row);
  away = false;
  expect(await ended(admin, started)).toMatchObject({ state: 'completed', created: 1, done: 1 });
});

it('an import that was begun five times without progress fails, and says so', async () => {
  const { started } = await waitingImport();
  // As after five processes that ended.
  await service.sql(
    "UPDATE imports SET state = 'queued', claim = NULL, claimed_until = NULL, attempts = 5 WHERE id = $1",
    [started.id],
  );
  expect(await ended(admin, started)).toMatchObject({
    state: 'failed',
    failure: expect.stringContaining('again and again'),
    created: 0,
  });
});
