import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FormData } from '../../../support/worker/undici.cjs';
import { anIssue, aProject } from '../../../support/builders.js';
import { useService } from '../../../support/service.js';
import { until } from '../../../support/until.js';

/** `npm test` runs each kind once; `test:full` runs a thousand of them beside fifty honest clients. */
const FULL = process.env['TEST_SIZE'] === 'full';
const EACH = FULL ? 333 : 20;
const HONEST = FULL ? 50 : 5;
const SECONDS = FULL ? 30 : 3;
const THINKING_MS = 200;

const service = useService();
const open: Socket[] = [];
let download = '';

beforeAll(async () => {
  const issue = await anIssue(service.owner, await aProject(service.owner));
  const multipart = new FormData();
  multipart.set('file', new Blob([Buffer.alloc(8_388_608, 'x')]), 'large.bin');
  const file = await service.owner.post(`/api/projects/issues/${issue.id}/attachments`, undefined, {
    multipart,
  });
  download = `/api/projects/attachments/${file.body['id']}/download`;
});

afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** A client that sends `start`, and then `more` each second; with `reads: false` it reads nothing of the response. */
function slowSocket(start: string, more: string, { reads = true } = {}): Socket {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  open.push(socket);
  socket.on('error', () => undefined);
  if (reads) socket.resume();
  else socket.pause();
  socket.write(start);
  const timer = setInterval(() => more && socket.write(more), 1_000);
  socket.once('close', () => clearInterval(timer));
  return socket;
}

const auth = () => `Authorization: Bearer ${service.ownerKey}\r\nHost: x\r\n`;
const slowHeaders = () => slowSocket('GET /livez HTTP/1.1\r\nHost: x\r\n', 'X-A: b\r\n');
const slowBody = () =>
  slowSocket(
    `POST /api/projects HTTP/1.1\r\n${auth()}Content-Type: application/json\r\nContent-Length: 9000\r\n\r\n{`,
    ' ',
  );
const slowReader = (more = '') =>
  slowSocket(`GET ${download} HTTP/1.1\r\n${auth()}${more}\r\n`, '', { reads: false });

/** Opens all slow clients within some seconds: each reader reads what the system's buffers hold before it stops. */
async function occupy(): Promise<void> {
  for (let at = 0; at < EACH; at++) {
    for (const make of [slowHeaders, slowBody, slowReader]) make();
    await sleep(30);
  }
}

describe('slow clients', () => {
  it('do not delay honest clients', async () => {
    await occupy();
    const took: number[] = [];
    const end = Date.now() + SECONDS * 1_000;
    const honest = async () => {
      while (Date.now() < end) {
        const start = performance.now();
        const { status } = await service.owner.unchecked().get('/api/projects?limit=10');
        took.push(performance.now() - start);
        expect(status).toBe(200);
        await sleep(THINKING_MS);
      }
    };
    await Promise.all(Array.from({ length: HONEST }, honest));
    const p99 = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)]!;
    expect(took.length).toBeGreaterThan(HONEST);
    expect(p99).toBeLessThan(2_000);
  });

  it('are disconnected when their headers are slow', async () => {
    const sockets = [slowHeaders(), slowHeaders()];
    expect(await until(() => sockets.every(({ destroyed }) => destroyed), 40)).toBe(true);
  });

  (FULL ? it : it.skip)(
    'with a body, or with reading the answer, are cut off too',
    async () => {
      const body = slowBody();
      slowReader('X-Request-Id: stuck\r\n');
      const isCut = () =>
        service.log.split('\n').some((line) => line.includes('"stuck"') && line.includes('"cut off"'));
      expect(await until(isCut, 100)).toBe(true);
      expect(await until(() => body.destroyed, 100)).toBe(true);
    },
    240_000,
  );
});
