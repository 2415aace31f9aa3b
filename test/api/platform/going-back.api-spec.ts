import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aComment, anIssue, aProject, createdBy, type Issue, type Project } from '../../support/builders.js';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { EarlierBuild, type EarlierVersion, missingCommit } from '../../support/earlier-build.js';
import { Service, startService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { WebhookTarget } from '../../support/webhook-target.js';
import { modern } from '../gateway/wire-call.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { aVerifiedServer, grant, type Installed } from '../mcp/servers.js';
import { anAttachment, file, type Attachment } from '../work/attachments.forms.js';

interface Version extends Partial<EarlierVersion> {
  version: string;
  alsoRun: string[];
}
const versions = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../migrations/versions.json'), 'utf8'),
) as Version[];
const present = versions.at(-1)!;
/** The last two versions before this one, or those that TEST_VERSIONS names (0.3.0,0.4.0). */
const wanted = process.env['TEST_VERSIONS']?.split(',');
const earlier = versions
  .slice(0, -1)
  .filter(({ version }, index, all) => (wanted ? wanted.includes(version) : index >= all.length - 2))
  .map(({ version, commit }) => ({ version, commit: commit! }));
const START_MS = 600_000;

/** The one warning that an earlier version must give, and what it says of itself at each start. */
const EXPECTED = /A later (?:release|version) has migrated the database|^ALLOW_|^MCP_SANDBOX|sandbox/;

interface Line {
  level: string;
  msg: string;
}
const linesOf = (log: string) =>
  log.split('\n').flatMap((text) => (text.startsWith('{') ? [JSON.parse(text) as Line] : []));

/**
 * Going back: the earlier version runs alone, on the database and the data folder of this one, as after a rollback (contract
 * §8.6). It either does all that it is for, or refuses the start with the version that the schema needs.
 */
describe.each(earlier)('version $version on the database of the present version', ({ version, commit }) => {
  const reason = missingCommit(commit);
  if (reason) {
    it.skip(`cannot be built: ${reason}`, () => undefined);
    return;
  }
  const catalog = new LocalCatalog().stdio('polite', ['misbehaving.mjs', 'polite']);
  let build: EarlierBuild;
  let target: WebhookTarget;
  let service: Service;
  let project: Project;
  let agent: Caller;
  let server: Installed;
  let first: Issue;
  let kept: Attachment;

  beforeAll(async () => {
    build = EarlierBuild.make({ version, commit });
    target = await WebhookTarget.start();
    service = await startService({
      ownProcess: true,
      settings: { CATALOG_DIRS: catalog.folder, OUTBOUND_ALLOWED_HOSTS: target.host, DASHBOARD: 'off' },
    });
    const { owner } = service;
    project = await aProject(owner);
    agent = await asAgent(service, { maxConcurrentIssues: 10 });
    server = await aVerifiedServer(owner, 'polite');
    await grant(owner, server, agent);
    await createdBy(owner, '/api/webhooks', { url: target.url, projectId: project.id });
    first = await anIssue(owner, project, { assignedAgentId: agent.id });
    kept = await anAttachment(owner, first, file('of the present version'));
    await delivered(first);
    await service.stop();
    // All chores are due again.
    await service.sql(`UPDATE chores SET ran_at = '2026-01-01'`);
  }, START_MS);
  afterAll(async () => {
    await service?.remove();
    await target?.stop();
    catalog.remove();
    build?.remove();
  });

  const delivered = (issue: Issue) =>
    until(() => target.of(issue.id).some(({ event }) => event.type === 'issue.created'), 60);
  const callTool = async (at: Service) => {
    const call = { name: `${server.slug}__echo`, arguments: {} };
    return (await modern(agent.at(at).unchecked(), 'tools/call', call)).message.result;
  };

  /** Starts the earlier version in the place of this one. */
  function earlierService(): Service {
    return new Service({
      ownProcess: true,
      main: build.main,
      database: { url: service.databaseUrl },
      settings: {
        DATA_DIR: service.dataDir,
        BOOTSTRAP_OWNER_API_KEY: service.ownerKey,
        CATALOG_DIRS: catalog.folder,
        OUTBOUND_ALLOWED_HOSTS: target.host,
        DASHBOARD: 'off',
      },
    });
  }

  /** Uses every kind of work, and returns the issue that it has created. */
  async function work(at: Service): Promise<Issue> {
    const [owner, worker] = [service.owner.at(at).unchecked(), agent.at(at).unchecked()];
    const { body, status } = await worker.post<{ pickedUp: { issue: Issue; lease: { token: number } }[] }>(
      '/api/agents/me/heartbeat',
      {},
    );
    expect([status, body.pickedUp.map(({ issue }) => issue.id)]).toEqual([200, [first.id]]);
    const blocked = await anIssue(owner, project, { assignedAgentId: agent.id, blockedByIssueId: first.id });
    await aComment(owner, blocked);
    expect((await owner.get(kept.downloadUrl)).text).toBe('of the present version');
    const uploaded = await anAttachment(owner, blocked, file('of the earlier version'));
    expect((await owner.get(uploaded.downloadUrl)).text).toBe('of the earlier version');
    expect(await callTool(at)).toMatchObject({ content: [{ type: 'text' }] });
    const lease = { 'lease-token': String(body.pickedUp[0]!.lease.token) };
    const path = `/api/projects/issues/${first.id}`;
    expect((await worker.put(path, { status: 'Resolved' }, { headers: lease })).status).toBe(200);
    expect((await owner.get<Issue>(`/api/projects/issues/${blocked.id}`)).body.status).toBe('Open');
    expect((await owner.get('/readyz')).status).toBe(200);
    await delivered(blocked);
    return blocked;
  }

  /** The chores of the earlier version, as its sources name them. */
  async function choresRan(): Promise<void> {
    const names = await service.sql<{ name: string }>(`SELECT name FROM chores WHERE name <> 'backup'`);
    const known = names.map(({ name }) => name).filter((name) => build.has(name));
    expect(known.length).toBeGreaterThan(5);
    await until(async () => {
      const due = await service.sql<{ name: string }>(`SELECT name FROM chores WHERE ran_at = '2026-01-01'`);
      return due.every(({ name }) => !known.includes(name));
    }, 60);
  }

  it(
    'does all that it is for, and the present version goes on with it, or it refuses the start',
    async () => {
      const back = earlierService();
      try {
        if (!present.alsoRun.includes(version)) {
          await expect(back.start()).rejects.toThrow(/"code":78.*needs version \d+\.\d+\.\d+ or later/s);
          return;
        }
        await back.start();
        const made = await work(back);
        await choresRan();
        await back.stop();
        const bad = linesOf(back.log).filter(
          ({ level, msg }) => !/^(info|debug)$/.test(level) && !EXPECTED.test(msg),
        );
        expect(bad).toEqual([]);
        await service.start();
        const seen = await service.owner.get<Issue>(`/api/projects/issues/${made.id}`);
        expect(seen.body).toMatchObject({ title: made.title, status: 'Open' });
        expect(await callTool(service)).toMatchObject({ content: [{ type: 'text' }] });
        await delivered(await anIssue(service.owner, project));
      } finally {
        await back.remove();
      }
    },
    START_MS,
  );
});
