import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AttentionKind, attentionKinds } from '../../../src/gateway/attention/attention-kinds.js';
import type {
  AttentionActionResponse,
  AttentionItemResponse,
  AttentionResponse,
} from '../../../src/gateway/attention/attention.response.js';
import { aLink, anIssue, aProject, aSchedule, createdBy, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAdmin, asAgent, asEditor, asUser, asViewer } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { aDeadServer } from '../platform/access/access-world.js';
import { aQuestion } from '../work/gates/gate-requests.js';
import { anIssueIn } from '../work/issues/issue-requests.js';
import { anAsker, callOf, codeOf, openGate } from './approval-setting.js';
import { installed, type Installed } from './mcp-setting.js';

type Item = Wire<AttentionItemResponse>;
type Action = Wire<AttentionActionResponse>;

const catalog = new LocalCatalog().stdio('call-log', ['call-log.mjs']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder, APPROVAL_WAIT_SECONDS: '0' } });
afterAll(() => catalog.remove());

let project: Project;
let server: Installed;
let callers: Record<string, Caller>;
beforeAll(async () => {
  const [viewer, editor, admin] = await Promise.all([asViewer(service), asEditor(service), asAdmin(service)]);
  callers = { viewer, editor, admin, owner: service.owner };
  project = await aProject(service.owner);
  await createdBy(service.owner, '/api/mcp/installed', { catalogId: 'microsoft-learn' });
  server = await installed(service, 'call-log');
});

async function itemOf(caller: Caller, id: string): Promise<Item | undefined> {
  const { body } = await caller.get<Wire<AttentionResponse>>('/api/attention?limit=1000');
  return body.items.find((item) => item.id === id);
}
const choicesOf = (item: Item | undefined): Action[] =>
  item ? [...(item.action ? [item.action] : []), ...item.alternatives] : [];
const statusOf = async (caller: Caller, { method, path, body }: Action) =>
  (await caller.request(method, path, body === null ? {} : { body })).status;

/** Makes an issue wait for this one, so that it holds something up. */
async function oneBehind(issue: { id: string }): Promise<void> {
  await aLink(service.owner, issue, await anIssue(service.owner, project));
}
const anIssueThat = async (status: 'PendingReview' | 'paused' | 'Open', fields = {}) => {
  const issue =
    status === 'Open'
      ? await anIssue(service.owner, project, fields)
      : await anIssueIn(service.owner, project, status, fields);
  await oneBehind(issue);
  return issue.id;
};
const aServerThat = async (sql: string) => {
  const id = await aDeadServer(service);
  await service.sql(sql, [id]);
  return id;
};
const aBudgetOf = async (path: string, id: string) => {
  await service.owner.put(`${path}/${id}/budget`, { turns: 10, period: 'total' });
  await service.sql(
    `INSERT INTO usage_totals (scope, scope_id, period, starts_on, turns) VALUES ($1, $2, 'total', '1970-01-01', 9)`,
    [{ '/api/agents': 'agent', '/api/projects': 'project' }[path] ?? 'issue', id],
  );
  return id;
};
const anApproval = async (fields?: object) => {
  const asker = await anAsker(service, server, fields);
  expect(codeOf(await callOf(asker.caller, server, 'work', { round: 'x', ms: 0 }))).toBe('approval_pending');
  return (await openGate(service, asker.agent)).id;
};

const verification = (
  credentials: string,
) => `'{"status": "error", "details": "Refused", "phase": "done", "latencyMs": 1,
  "protocolVersion": null, "serverInfo": null, "credentials": "${credentials}", "checkedAt": "2026-01-01T00:00:00.000Z"}'`;

/** A cause of each kind, of each of its forms; returns the id of what the item is about. */
const causes: [AttentionKind, string, () => Promise<string>][] = [
  [
    ...(['gate', 'a question'] as const),
    async () => {
      const issue = await anIssue(service.owner, project);
      const fields = { options: ['Now', 'Later'], recommended: 'Later' };
      return (await aQuestion(service.owner, issue, fields)).id;
    },
  ],
  ['gate', 'an approval', () => anApproval()],
  ['gate', 'an approval by an Admin', () => anApproval({ ask: 'writes', approverRole: 'Admin' })],
  [
    ...(['gate', 'a question of an agent without an issue'] as const),
    async () => {
      const agent = await asAgent(service);
      const asking = { question: 'Which?', options: ['This', 'That'] };
      await callOf(agent, { ...server, slug: 'platform' }, 'ask_person', asking);
      return (await openGate(service, agent)).id;
    },
  ],
  [
    ...(['gate', 'a budget that is used up'] as const),
    async () => {
      const agent = await asAgent(service);
      const issue = await anIssue(service.owner, project, { assignedAgentId: agent.id });
      await agent.post('/api/agents/me/heartbeat', {});
      await service.owner.put(`/api/agents/${agent.id}/budget`, { turns: 1, period: 'day' });
      for (const _ of [1, 2]) await agent.post('/api/agents/me/turns', { issueId: issue.id });
      return (await openGate(service, agent)).id;
    },
  ],
  ['review', 'an issue in review', () => anIssueThat('PendingReview')],
  [
    ...(['exhausted', 'an issue that failed too often'] as const),
    async () => {
      const id = await anIssueThat('PendingReview');
      await service.sql('UPDATE issues SET attempts = 5 WHERE id = $1', [id]);
      return id;
    },
  ],
  ['stuck', 'a paused issue', () => anIssueThat('paused')],
  ['stuck', 'an issue without assignee', () => anIssueThat('Open')],
  [
    ...(['stuck', 'an issue of a disabled agent'] as const),
    async () => {
      const { id } = await asAgent(service);
      await service.owner.put(`/api/agents/${id}`, { disabled: true });
      return anIssueThat('Open', { assignedAgentId: id });
    },
  ],
  [
    ...(['released', 'an issue that its agent releases again and again'] as const),
    async () => {
      const { id } = await asAgent(service);
      const issue = await anIssueThat('Open', { assignedAgentId: id });
      const sql = 'UPDATE issues SET releases = 10, released_since = now(), given_back_by = $2 WHERE id = $1';
      await service.sql(sql, [issue, id]);
      return issue;
    },
  ],
  [
    ...(['server_error', 'a server in error'] as const),
    () => aServerThat(`UPDATE installed_servers SET status = 'error' WHERE id = $1`),
  ],
  [
    ...(['credential', 'a server that refused its credentials'] as const),
    () =>
      aServerThat(
        `UPDATE installed_servers SET last_verification = ${verification('refused')} WHERE id = $1`,
      ),
  ],
  [
    ...(['tools_changed', 'a server with a new tool'] as const),
    () =>
      aServerThat(
        `INSERT INTO server_tools (server_id, name, definition, hash, approved_hash)
         VALUES ($1, 'x', '{"name": "x", "inputSchema": {}}', 'a', 'b')`,
      ),
  ],
  [
    ...(['webhook_disabled', 'a webhook whose address is gone'] as const),
    async () => {
      const id = randomUUID();
      await service.sql(
        `INSERT INTO webhooks (id, url, since_position, disabled, disabled_reason)
         VALUES ($1, 'https://example.com/hook', 0, true, 'gone')`,
        [id],
      );
      return id;
    },
  ],
  ...[true, false].map((enabled): (typeof causes)[number] => [
    'schedule_failing',
    enabled ? 'a schedule that has failed once' : 'a schedule that was disabled',
    async () => {
      const { id } = await aSchedule(service.owner, project, { enabled });
      const sql = `UPDATE schedules SET failures = 1, failing_since = now(), last_failure = 'No.' WHERE id = $1`;
      await service.sql(sql, [id]);
      return id;
    },
  ]),
  [
    ...(['agent_silent', 'an agent with a lease'] as const),
    async () => {
      const agent = await asAgent(service);
      await anIssue(service.owner, project, { assignedAgentId: agent.id });
      await agent.post('/api/agents/me/heartbeat', {});
      const sql = `UPDATE agents SET last_heartbeat_at = now() - interval '1 hour' WHERE id = $1`;
      await service.sql(sql, [agent.id]);
      return agent.id!;
    },
  ],
  [
    ...(['agent_failing', 'an agent whose worker takes no more work'] as const),
    async () => {
      const agent = await asAgent(service);
      await agent.post('/api/agents/me/heartbeat', { worker: 'w1', failing: 'git is missing.' });
      return agent.id!;
    },
  ],
  [
    ...(['key_expiring', 'a key of a user'] as const),
    async () => {
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      const { id } = await asUser(service, 'Viewer', { expiresAt });
      return (await service.owner.get<{ id: string }[]>(`/api/users/${id}/keys`)).body[0]!.id;
    },
  ],
  [
    ...(['budget_near', 'the budget of an issue'] as const),
    async () => aBudgetOf('/api/projects/issues', (await anIssue(service.owner, project)).id),
  ],
  [
    ...(['budget_near', 'the budget of a project'] as const),
    async () => aBudgetOf('/api/projects', (await aProject(service.owner)).id),
  ],
  [
    ...(['budget_near', 'the budget of an agent'] as const),
    async () => aBudgetOf('/api/agents', (await asAgent(service)).id!),
  ],
];

describe('the calls of an item', () => {
  // The call of `sign_in` needs an authorization server: test/api/mcp/oauth-refresh.api-spec.ts.
  it('are tried for every kind', () => {
    const tried = [...new Set(causes.map(([kind]) => kind)), 'sign_in'];
    expect(tried.toSorted()).toEqual([...attentionKinds].toSorted());
  });

  it.each(causes)(
    'of kind %s are offered to those who may make them, and to no others: %s',
    async (kind, _, make) => {
      const first = `${kind}:${await make()}`;
      const offered = new Map<Caller, string[]>();
      for (const caller of Object.values(callers))
        offered.set(
          caller,
          choicesOf(await itemOf(caller, first)).map(({ label }) => label),
        );
      const calls = choicesOf(await itemOf(service.owner, first));
      expect(calls.length).toBeGreaterThan(0);
      for (const call of calls)
        for (const [caller, labels] of offered)
          if (!labels.includes(call.label)) expect([403, 404]).toContain(await statusOf(caller, call));
      // Nothing has changed by the refused calls, and the lowest of those who may has each call done.
      for (const [at, { label }] of calls.entries()) {
        const [lowest] = [...offered.keys()].filter((caller) => offered.get(caller)!.includes(label));
        const item = await itemOf(lowest!, at === 0 ? first : `${kind}:${await make()}`);
        const own = choicesOf(item).find((choice) => choice.label === label)!;
        expect([200, 201, 204]).toContain(await statusOf(lowest!, own));
      }
    },
  );
});
