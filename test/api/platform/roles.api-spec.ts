import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject, anIssue, createdBy, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asEditor } from '../../support/callers.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { WebhookTarget } from '../../support/webhook-target.js';
import { aQuestion, makeDue, readGate, type Gate } from '../work/gates/gate-requests.js';

const DOCTOR = resolve(import.meta.dirname, '../../../scripts/doctor.mjs');

let target: WebhookTarget;
let api: Service;
let worker: Service;
let editor: Caller;
let project: Project;
let gate: Gate;
beforeAll(async () => {
  target = await WebhookTarget.start();
  api = await startService({ settings: { ROLE: 'api', OUTBOUND_ALLOWED_HOSTS: target.host } });
  editor = await asEditor(api);
  project = await aProject(editor);
  await createdBy(api.owner, '/api/webhooks', { url: target.url, projectId: project.id });
  gate = await aQuestion(editor, await anIssue(editor, project));
  await makeDue(api, gate);
});
afterAll(async () => {
  await api?.remove();
  await target?.stop();
});

/** The traces that background work leaves in the database. */
async function backgroundWork() {
  const [row] = await api.sql<{ chores: number; deliveries: number; runner: string | null }>(
    `SELECT (SELECT count(*)::int FROM chores) AS chores,
       (SELECT count(*)::int FROM webhook_deliveries) AS deliveries,
       to_regclass('graphile_worker.jobs')::text AS runner`,
  );
  return row;
}

/** What `npm run doctor` says of the role of the api process. */
async function doctorOnRole(): Promise<string | undefined> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PORT: '0', ROLE: 'api', DATABASE_URL: api.databaseUrl, DATA_DIR: api.dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, [DOCTOR], { env });
  return /^\w+ +role .*$/m.exec(stdout)?.[0];
}

describe('ROLE=api', () => {
  it('leaves the background work to others, and doctor says when no process does it', async () => {
    // Doctor takes longer than the process would for its first round of everything.
    expect(await doctorOnRole()).toMatch(
      /^note +role +api: requests(?:, in \d processes for requests \(PROCESSES\))?; no tools host is announced; no process has done background work yet$/,
    );
    expect(await backgroundWork()).toEqual({ chores: 0, deliveries: 0, runner: null });
    expect((await readGate(editor, gate)).state).toBe('open');
  });

  it('answers that installing a server needs a tools host', async () => {
    const refused = await api.owner.post<{ code: string; detail: string }>('/api/mcp/installed', {
      catalogId: 'everything',
    });
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({
      code: 'unavailable',
      detail: expect.stringContaining('No tools host'),
    });
  });

  it('has no sandbox to look after', async () => {
    const { body } = await api.owner.get<{ checks: object }>('/readyz');
    expect(Object.keys(body.checks)).toEqual(['database', 'keyRing']);
  });
});

describe('ROLE=worker', () => {
  beforeAll(async () => {
    worker = await api.second({ ROLE: 'worker', MCP_SANDBOX: 'off' });
  });

  it('does the background work that was left', async () => {
    await until(() => target.received.some(({ event }) => event.type === 'issue.created'));
    await until(async () => (await readGate(editor, gate)).state === 'expired');
    await until(async () => (await backgroundWork())!.chores > 0);
  });

  it('is found by doctor, which looks when background work was last done', async () => {
    expect(await doctorOnRole()).toMatch(
      /^note +role +api: requests(?:, in \d processes for requests \(PROCESSES\))?; no tools host is announced$/,
    );
  });

  it('answers the probes', async () => {
    const caller = worker.owner;
    expect((await caller.get('/livez')).status).toBe(200);
    expect((await caller.get('/metrics')).status).toBe(200);
    const ready = await caller.get<{ status: string; checks: object }>('/readyz');
    expect(ready.status).toBe(200);
    expect(ready.body.checks).toEqual({ database: 'ok', keyRing: 'ok' });
  });

  it.each(['/', '/api/auth/me', '/api/projects', '/api/openapi.json', '/mcp', '/livez/'])(
    'answers no request to %s, and says where it belongs',
    async (path) => {
      const refused = await worker.owner.unchecked().get<{ code: string; detail: string }>(path);
      expect(refused.status).toBe(404);
      expect(refused.body).toMatchObject({
        code: 'not_found',
        detail: expect.stringContaining('ROLE=worker'),
      });
    },
  );

  it('answers no tool call', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'platform__x' } };
    expect((await worker.owner.unchecked().post('/mcp', call)).status).toBe(404);
  });

  it('does not say that it looks after MCP servers', () => {
    expect(worker.log).toContain('Role: worker');
    expect(worker.log).not.toContain('Sandbox of MCP servers');
    expect(worker.log).not.toContain('MCP servers see the files');
  });
});
