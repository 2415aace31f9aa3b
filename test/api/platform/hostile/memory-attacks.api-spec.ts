import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeCursor } from '../../../../src/platform/http/page-and-cursor.query.js';
import { anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent, asEditor, asViewer } from '../../../support/callers.js';
import { HeldMemory } from '../../../support/held-memory.js';
import { useService } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { grant, installed, type Installed } from '../../gateway/mcp-setting.js';
import { modern, modernRequest, session } from '../../gateway/wire-call.js';
import { LocalCatalog } from '../../mcp/local-catalog.js';
import { HonestCallers } from './honest-callers.js';

/** `npm test` runs each attack for a moment; `test:full` runs it for a minute and measures the other callers. */
const FULL = process.env['TEST_SIZE'] === 'full';
const SECONDS = FULL ? 60 : 0.5;
const CHAIN = FULL ? 20_000 : 500;
const QUESTIONS = FULL ? 10_000 : 300;
/** Issues of 64 KiB: three whole pages of 4 MiB at least. */
const LARGE_ISSUES = FULL ? 1_000 : 200;
const MIB = 2 ** 20;
/** Open connections of the attacks that make many: 400 MB, if each held what it sent or asked for. */
const MOST_OPEN = 100;
/** What may remain of an attack: caches of lists and pools that are full of small things. */
const LEFT_BYTES = 64 * MIB;

const catalog = new LocalCatalog().stdio('memory-attacks', ['memory-attacks.mjs']);
const service = useService({
  ownProcess: true,
  settings: { NODE_OPTIONS: '--max-old-space-size=512 --inspect=127.0.0.1:0', CATALOG_DIRS: catalog.folder },
});
const figures: string[] = [];
let editor: Caller;
let agent: Caller;
let project: Project;
let issue: Issue;
let server: Installed;
let heldMemory: HeldMemory;
let tested = 0;

beforeAll(async () => {
  [editor, agent] = [await asEditor(service), await asAgent(service)];
  project = await aProject(editor);
  issue = await anIssue(editor, project);
  server = await installed(service, 'memory-attacks');
  await grant(service, server, agent);
  heldMemory = await HeldMemory.of(service);
});
afterAll(async () => {
  heldMemory?.close();
  // A stop would wait for the calls that never end.
  await service.kill();
  if (FULL) console.log(figures.join('\n'));
});

/** Attacks on limits that have tests of their own elsewhere. */
const itInFull = FULL ? it : it.skip;
const open = new Set<Socket>();
afterEach(() => {
  for (const socket of open) socket.destroy();
  open.clear();
});

/** Sends a request over a connection that is never read. */
function unread(caller: Caller, line: string, headers: Record<string, string> = {}, body = ''): Socket {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname).pause();
  open.add(socket);
  socket.on('error', () => undefined).once('close', () => open.delete(socket));
  const all = {
    Host: 'x',
    Authorization: `Bearer ${caller.key}`,
    ...headers,
    ...(body && { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  return socket;
}

/** Returns the resident memory of the service in bytes. */
function resident(): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))!;
  return Number(kib) * 1_024;
}

/** Runs `round` again and again beside honest callers, and checks that the service goes on and forgets the attack. */
async function attack(name: string, round: () => Promise<unknown>): Promise<void> {
  const before = { held: await heldMemory.bytes(), resident: resident() };
  const honest = new HonestCallers([editor, await asEditor(service)], issue.id);
  const end = Date.now() + SECONDS * 1_000;
  let [rounds, highest] = [0, 0];
  while (Date.now() < end || rounds === 0) {
    await round();
    rounds += 1;
    highest = Math.max(highest, resident());
  }
  for (const socket of open) socket.destroy();
  const ended = performance.now();
  // A collection stops the service for a moment, so the honest callers are done before the first one.
  await honest.end();
  let held = Infinity;
  await until(async () => (held = await heldMemory.bytes()) < before.held + LEFT_BYTES, 60);
  const back = (performance.now() - ended) / 1_000;
  figures.push(
    `${name}: ${rounds} rounds in ${SECONDS} s, p99 of ${honest.took.length} answers ${Math.round(honest.p99)} ms, held ${inMiB([before.held, held])} MiB before and after, resident ${inMiB([before.resident, highest, resident()])} MiB before, at most and after; memory back after ${back.toFixed(1)} s`,
  );
  expect(honest.failures).toEqual([]);
  if (FULL) expect(honest.p99).toBeLessThan(1_000);
  if (FULL) expect(back).toBeLessThan(30);
  tested += 1;
}

const inMiB = (bytes: number[]) => bytes.map((each) => Math.round(each / MIB)).join(' / ');

describe('a service with a heap of 512 MB stays up, serves others and forgets', () => {
  it(
    'progress of 1 MB that its caller does not read (S4)',
    async () => {
      const params = {
        name: `${server.slug}__flood`,
        arguments: { messages: FULL ? 100_000 : 300 },
        _meta: { progressToken: 'p' },
      };
      const { id } = await session(agent);
      const headers = {
        Accept: 'application/json, text/event-stream',
        'Mcp-Session-Id': id,
        'Mcp-Protocol-Version': '2025-11-25',
      };
      await attack('S4 progress', async () => {
        if (open.size < 4) {
          const body = JSON.stringify({ jsonrpc: '2.0', id: open.size + 1, method: 'tools/call', params });
          unread(agent, 'POST /mcp', headers, body);
        }
        await sleep(200);
      });
    },
    (SECONDS + 90) * 1_000,
  );

  itInFull(
    'links that would close a long chain (S5)',
    async () => {
      const [first, last] = await aChain();
      const answers = new Set<string>();
      await attack('S5 cycle', async () => {
        const { status, body, text } = await editor
          .unchecked()
          .post(`/api/projects/issues/${last}/links`, { targetIssueId: first, linkType: 'Blocks' });
        answers.add(`${status} ${String(body['code'])}`);
        expect(text.length).toBeLessThan(65_536);
      });
      expect([...answers]).toEqual(['409 dependency_cycle']);
    },
    (SECONDS + 120) * 1_000,
  );

  it(
    'pages of 4 MiB that their caller does not read (S6)',
    async () => {
      const place = await aProject(editor);
      await service.sql(
        `INSERT INTO issues (id, project_id, number, title, status, created_by_type, created_by_name, description)
         SELECT gen_random_uuid(), $1, n, 'Issue ' || n, 'Open', 'system', 'test', repeat('x', 65536)
         FROM generate_series(1, $2::int) AS n`,
        [place.id, LARGE_ISSUES],
      );
      const greedy = await asAgent(service);
      await attack('S6 pages', async () => {
        for (let n = 0; n < 16; n += 1) unread(greedy, `GET /api/projects/${place.id}/issues?limit=1000`);
        await sleep(500);
      });
    },
    (SECONDS + 90) * 1_000,
  );

  it(
    'pages of questions that their caller does not read',
    async () => {
      const place = await aProject(editor);
      await service.sql(
        `WITH asked AS (
           INSERT INTO issues (id, project_id, number, title, status, created_by_type, created_by_name)
           SELECT gen_random_uuid(), $1, n, 'Issue ' || n, 'Open', 'system', 'test' FROM generate_series(1, $2::int) AS n
           RETURNING id, number)
         INSERT INTO gates (id, kind, project_id, issue_id, holds, answer_role, title, detail, options, request, expires_at, opened_by_type, opened_by_name)
         SELECT gen_random_uuid(), 'question', $1, id, true, 'Editor', 'Question', repeat(md5(number::text), 512),
           ARRAY(SELECT o || repeat('x', 490) FROM generate_series(1, 10) AS o), '{}', now() + interval '1 day', 'system', 'test' FROM asked`,
        [place.id, QUESTIONS],
      );
      const [greedy, viewer] = [await asAgent(service), await asViewer(service)];
      const times = Array.from({ length: 20 }, (_, at) => new Date(Date.now() - at * 1_000).toISOString());
      await attack('questions', async () => {
        for (const [at, since] of times.entries()) {
          const cursor = encodeCursor([-5, 0, since, 'k'], 'attention');
          unread(viewer, `GET /api/attention?limit=${1_000 - at}`);
          unread(viewer, `GET /api/attention?limit=1000&cursor=${cursor}`);
        }
        for (const socket of [...open].slice(0, -MOST_OPEN)) socket.destroy();
        unread(greedy, 'GET /api/projects/gates?limit=1000');
        await sleep(500);
      });
    },
    (SECONDS + 90) * 1_000,
  );

  it(
    'names of 3.5 MB in refused calls (S14)',
    async () => {
      const name = `${server.slug}__${'A'.repeat(3_500_000)}`;
      const { request } = await session(agent);
      await attack('S14 names', async () => {
        const answers = await Promise.all([1, 2].map(() => request('tools/call', { name })));
        for (const { message, text } of answers) {
          expect(message).toMatchObject({ error: { code: -32602 } });
          expect(text.length).toBeLessThan(1_000);
        }
      });
      const stored = await until(async () => {
        const [row] = await service.sql<{ longest: number; calls: number }>(
          `SELECT max(length(tool)) AS longest, count(*)::int AS calls FROM tool_calls WHERE tool LIKE '%AAAA'`,
        );
        return row!.calls > 0 ? row : null;
      });
      expect(stored.longest).toBe(128);
    },
    (SECONDS + 90) * 1_000,
  );

  itInFull(
    'resources without end (S23)',
    async () => {
      await attack('S23 resources', async () => {
        const { message } = await modern(agent, 'resources/list');
        expect(JSON.stringify(message).length).toBeLessThan(1.1 * MIB);
      });
    },
    (SECONDS + 90) * 1_000,
  );

  it(
    'event streams without end that their caller does not read (S28)',
    async () => {
      const viewer = await asViewer(service);
      await attack('S28 streams', async () => {
        for (let n = 0; n < 200 && open.size < 1_500; n += 1) unread(viewer, 'GET /api/events');
        await editor.put(`/api/projects/issues/${issue.id}`, { description: 'x'.repeat(60_000) });
        await sleep(100);
      });
    },
    (SECONDS + 90) * 1_000,
  );

  it(
    'notices of changed lists that no session of their agent reads',
    async () => {
      const greedy = await asAgent(service);
      await grant(service, server, greedy);
      const ids = await Promise.all(Array.from({ length: 60 }, async () => (await session(greedy)).id));
      for (const id of ids) unread(greedy, 'GET /mcp', { Accept: 'text/event-stream', 'Mcp-Session-Id': id });
      const { frame, headers } = modernRequest('tools/call', { name: `${server.slug}__notices` });
      const all = { ...headers, Accept: 'application/json, text/event-stream' };
      unread(greedy, 'POST /mcp', all, JSON.stringify(frame));
      await attack('notices', () => sleep(500));
    },
    (SECONDS + 90) * 1_000,
  );

  itInFull(
    'a server that renames all its tools at each listing (S7)',
    async () => {
      await modern(agent, 'tools/call', { name: `${server.slug}__churn` });
      await attack('S7 renamed tools', () => sleep(500));
      const [rows] = await service.sql<{ tools: number; journal: number }>(
        `SELECT (SELECT count(*)::int FROM server_tools WHERE server_id = $1) AS tools,
           (SELECT coalesce(max(octet_length(data::text)), 0)::int FROM journal WHERE type = 'mcp.tool.changed') AS journal`,
        [server.id],
      );
      expect(rows!.tools).toBeLessThan(2 * 1_502);
      expect(rows!.journal).toBeLessThan(20_000);
    },
    (SECONDS + 90) * 1_000,
  );

  it.each([
    ['results of 3 MB that their caller does not read', 'large', { bytes: 3_000_000 }],
    ['arguments of 3.9 MB of calls that never end', 'wait', { filler: 'x'.repeat(3_900_000) }],
  ])(
    '%s',
    async (name, tool, given) => {
      const greedy = await asAgent(service);
      await grant(service, server, greedy);
      const { frame, headers } = modernRequest('tools/call', {
        name: `${server.slug}__${tool}`,
        arguments: given,
      });
      const all = { ...headers, Accept: 'application/json, text/event-stream' };
      const body = JSON.stringify(frame);
      await attack(name, async () => {
        for (let n = 0; n < 8; n += 1) unread(greedy, 'POST /mcp', all, body);
        // Those that were refused make room for further ones.
        for (const socket of [...open].slice(0, -MOST_OPEN)) socket.destroy();
        await sleep(200);
      });
    },
    (SECONDS + 90) * 1_000,
  );

  it('all of this was one process', async () => {
    expect(tested).toBe(FULL ? 11 : 8);
    expect((await service.owner.get('/api/info')).status).toBe(200);
    expect(service.log).not.toContain('heap out of memory');
  });
});

/** Makes issues that each block the next, and returns the ids of the first and the last. */
async function aChain(): Promise<[string, string]> {
  const place = await aProject(editor);
  await service.sql(
    `INSERT INTO issues (id, project_id, number, title, status, created_by_type, created_by_name)
     SELECT gen_random_uuid(), $1, n, 'Issue ' || n, 'Open', 'system', 'test' FROM generate_series(1, $2::int) AS n`,
    [place.id, CHAIN],
  );
  await service.sql(
    `INSERT INTO issue_links (id, source_issue_id, target_issue_id, link_type, created_by_type, created_by_name)
     SELECT gen_random_uuid(), a.id, b.id, 'Blocks', 'system', 'test' FROM issues a JOIN issues b
       ON b.project_id = a.project_id AND b.number = a.number + 1 WHERE a.project_id = $1`,
    [place.id],
  );
  const ends = await service.sql<{ id: string }>(
    `SELECT id FROM issues WHERE project_id = $1 AND number IN (1, $2::int) ORDER BY number`,
    [place.id, CHAIN],
  );
  return [ends[0]!.id, ends[1]!.id];
}
