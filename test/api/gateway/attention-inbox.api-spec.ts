import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sweepSql } from '../../../src/gateway/attention/attention-pages-counts-and-snoozes-sql.js';
import type {
  AttentionItemResponse,
  AttentionResponse,
  SnoozeResponse,
} from '../../../src/gateway/attention/attention.response.js';
import { aLink, anIssue, aProject, createdBy, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAdmin, asAgent, asEditor, asUser, asViewer } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';
import { anIssueIn, expectInvalidPaths, expectSuccess } from '../work/issues/issue-requests.js';
import { nextOf } from '../work/issues/list-requests.js';
import { sendHeartbeat } from './heartbeat-requests.js';

type Attention = Wire<AttentionResponse>;
type Item = Wire<AttentionItemResponse>;

const HOUR_MS = 3_600_000;
const service = useService();
let [viewer, editor, admin]: Caller[] = [];
let project: Project;
beforeAll(async () => {
  [viewer, editor, admin] = await Promise.all([asViewer(service), asEditor(service), asAdmin(service)]);
  project = await aProject(service.owner);
});

async function attention(caller: Caller, query: Record<string, string> = {}): Promise<Attention> {
  const answer = await caller.get<Attention>(
    `/api/attention?${new URLSearchParams({ limit: '1000', ...query })}`,
  );
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}
const idsOf = async (caller: Caller, query: Record<string, string> = {}) =>
  (await attention(caller, query)).items.map(({ id }) => id);
const itemOf = async (caller: Caller, id: string): Promise<Item | undefined> =>
  (await attention(caller, { ids: id })).items[0];
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const snooze = (caller: Caller, items: string[], until: string | null = inMs(HOUR_MS)) =>
  caller.put<Wire<SnoozeResponse>>('/api/attention/snoozes', { items, until });
const review = async (place: Project = project, fields = {}) =>
  anIssueIn(editor!, place, 'PendingReview', fields);
const ask = async (caller: Caller, issue: Issue, fields: object) =>
  createdBy<{ id: string }>(caller, `/api/projects/issues/${issue.id}/gates`, fields);

describe('tabs and their counts', () => {
  it('divide the items of a list, and count those of all pages whatever the tab', async () => {
    const place = await aProject(editor!);
    const [first, second] = [await review(place), await review(place)];
    const asked = await anIssue(editor!, place);
    const gate = await ask(editor!, asked, { question: 'When?' });
    const blocker = await anIssue(editor!, place);
    await aLink(editor!, blocker, await anIssue(editor!, place));
    const tabs = { decide: 1, review: 2, broken: 1, all: 4, snoozed: 0 };
    const of = async (tab: string) => {
      const found = await attention(viewer!, { projectId: place.id, tab });
      expect(found.tabs).toEqual(tabs);
      for (const item of found.items) expect(item.tab).toBe(tab);
      return found.items.map(({ id }) => id);
    };
    expect(await of('decide')).toEqual([`gate:${gate.id}`]);
    expect(await of('review')).toEqual([`review:${first.id}`, `review:${second.id}`]);
    expect(await of('broken')).toEqual([`stuck:${blocker.id}`]);
    expect((await attention(viewer!, { projectId: place.id })).tabs).toEqual(tabs);
    const page = await viewer!.get<Attention>(`/api/attention?projectId=${place.id}&tab=review&limit=1`);
    expect(page.body.tabs).toEqual(tabs);
    const next = await viewer!.get<Attention>(nextOf(page)!);
    expect(next.body.items.map(({ id }) => id)).toEqual([`review:${second.id}`]);
    expect(nextOf(next)).toBeNull();
  });
});

describe('a filter', () => {
  it('by agent leaves what concerns it, and issues that are assigned to it', async () => {
    const [agent, other] = [await asAgent(service), await asAgent(service)];
    const mine = await review(project, { assignedAgentId: agent.id });
    await review(project, { assignedAgentId: other.id });
    const asked = await anIssue(editor!, project, { assignedAgentId: agent.id });
    const gate = await ask(editor!, asked, { question: 'Which of the two?' });
    const found = await attention(viewer!, { agentId: agent.id! });
    expect(found.items.map(({ id }) => id).toSorted()).toEqual([`gate:${gate.id}`, `review:${mine.id}`]);
    expect(found.items.find(({ kind }) => kind === 'gate')?.agent).toMatchObject({ id: agent.id });
    expect(found.tabs).toEqual({ decide: 1, review: 1, broken: 0, all: 2, snoozed: 0 });
    expect(await idsOf(viewer!, { agentId: randomUUID() })).toEqual([]);
  });

  it('of the own leaves issues that one answers for, gates of projects that one is a member of, and own keys', async () => {
    const expiresAt = inMs(3 * 24 * HOUR_MS);
    const person = await asUser(service, 'Editor', { expiresAt });
    const team = await aProject(service.owner);
    await expectSuccess(
      service.owner.put(`/api/projects/${team.id}/members`, {
        entries: [{ userId: person.id, role: 'Editor' }],
      }),
    );
    const answersFor = await review(project, { assigneeUserId: person.id });
    await review(team);
    const gate = await ask(editor!, await anIssue(editor!, team), { question: 'When?' });
    const foreign = await ask(editor!, await anIssue(editor!, project), { question: 'Where?' });
    const found = await idsOf(person, { mine: 'true' });
    expect(found.filter((id) => !id.startsWith('key_expiring:')).toSorted()).toEqual([
      `gate:${gate.id}`,
      `review:${answersFor.id}`,
    ]);
    expect(found.filter((id) => id.startsWith('key_expiring:'))).toHaveLength(1);
    expect(await idsOf(person)).toContain(`gate:${foreign.id}`);
    expect(await idsOf(admin!, { mine: 'true' })).toEqual([]);
  });

  it('by ids returns those that the caller sees', async () => {
    const hidden = await aProject(editor!, { visibility: 'members' });
    const [open, closed] = [await review(), await review(hidden)];
    const ids = [`review:${closed.id}`, `review:${open.id}`, 'review:nothing'].join(',');
    expect(await idsOf(viewer!, { ids })).toEqual([`review:${open.id}`]);
    expect((await idsOf(admin!, { ids })).toSorted()).toEqual(
      [`review:${open.id}`, `review:${closed.id}`].toSorted(),
    );
  });

  it.each([
    ['tab=later', 'tab'],
    ['agentId=x', 'agentId'],
    ['mine=yes', 'mine'],
    ['snoozed=1', 'snoozed'],
    ['group=x', 'group'],
    [`ids=${'x'.repeat(101)}`, 'ids'],
  ])('returns 400 for %s', async (query, path) => {
    await expectInvalidPaths(viewer!.get(`/api/attention?${query}`), path);
  });
});

describe('what an item says', () => {
  it('names the whole question, its options, the gate, the issue and the agent, also to a Viewer', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor!, project, { assignedAgentId: agent.id });
    const question = `Shall I go on?\n${'Because it is long. '.repeat(20)}`;
    const gate = await ask(agent, issue, { question, options: ['Yes', 'No'], recommended: 'No' });
    const item = await itemOf(viewer!, `gate:${gate.id}`);
    expect(item).toMatchObject({
      tab: 'decide',
      gateId: gate.id,
      gate: { id: gate.id, kind: 'question', form: false },
      question,
      options: ['Yes', 'No'],
      issue: { key: issue.key, title: issue.title },
      agent: { id: agent.id, name: agent.name },
      group: null,
      snoozedUntil: null,
      action: null,
      needsRole: 'Editor',
    });
    expect(await itemOf(viewer!, `review:${(await review()).id}`)).toMatchObject({
      gateId: null,
      question: null,
      options: [],
    });
  });

  it("an agent's used-up budget names its money in dollars, and needs an Admin, as its answer does", async () => {
    const agent = await asAgent(service);
    await anIssue(editor!, project, { assignedAgentId: agent.id });
    const path = `/api/agents/${agent.id}/budget`;
    await expectSuccess(service.owner.put(path, { costMicros: 1_500_000, period: 'day' }));
    await sendHeartbeat(agent, {
      capacity: 0,
      usage: [{ reportId: randomUUID(), inputTokens: 0, outputTokens: 0, costMicros: 4_017_151 }],
    });
    await sendHeartbeat(agent, { capacity: 1 });
    const { gateId } = (await service.owner.get<{ gateId: string }>(path)).body;
    const item = await itemOf(admin!, `gate:${gateId}`);
    expect(item?.title).toContain('is used up: $4.02 of $1.50 today');
    expect(item?.needsRole).toBe('Admin');
    expect(item?.alternatives.map(({ label }) => label)).toEqual(['Stop']);
    expect((await editor!.post(`/api/projects/gates/${gateId}/answer`, { decision: 'stop' })).status).toBe(
      404,
    );
  });
});

describe('equal questions', () => {
  const question = 'May I delete the old branch?';
  const three = async (place: Project) => {
    const agents = await Promise.all([asAgent(service), asAgent(service), asAgent(service)]);
    const gates: string[] = [];
    for (const agent of agents) {
      const issue = await anIssue(editor!, place, { assignedAgentId: agent.id });
      gates.push((await ask(agent, issue, { question, options: ['Yes', 'No'] })).id);
    }
    return gates.map((id) => `gate:${id}`);
  };

  it('have one group, which counts those that the caller sees on all pages, and lists them', async () => {
    const [open, hidden] = [await aProject(editor!), await aProject(editor!, { visibility: 'members' })];
    const asked = await three(open);
    const other = await anIssue(editor!, hidden);
    await ask(editor!, other, { question, options: ['Yes', 'No'] });
    const differing = await ask(editor!, await anIssue(editor!, open), { question, options: ['No', 'Yes'] });
    const [first] = (await attention(viewer!, { projectId: open.id, limit: '1' })).items;
    expect(first).toMatchObject({ group: { items: 3, agents: 3 } });
    const { id } = first!.group!;
    expect((await idsOf(viewer!, { group: id })).toSorted()).toEqual(asked.toSorted());
    expect((await itemOf(viewer!, `gate:${differing.id}`))?.group).toBeNull();
    expect((await attention(editor!, { group: id })).items[0]).toMatchObject({
      group: { id, items: 4, agents: 3 },
    });
  });
});

describe('a snoozed item', () => {
  it('is left out for the one who snoozed it, counted apart, and comes back when its time is over', async () => {
    const place = await aProject(editor!);
    const [first, second] = [`review:${(await review(place)).id}`, `review:${(await review(place)).id}`];
    const until = inMs(HOUR_MS);
    expect(await snooze(viewer!, [first, first, 'review:nothing'], until)).toMatchObject({
      status: 200,
      body: { changed: [first], unknown: ['review:nothing'] },
    });
    const here = { projectId: place.id };
    const found = await attention(viewer!, here);
    expect(found.items.map(({ id }) => id)).toEqual([second]);
    expect(found.counts['review']).toBe(1);
    expect(found.tabs).toEqual({ decide: 0, review: 1, broken: 0, all: 1, snoozed: 1 });
    const asleep = await attention(viewer!, { ...here, snoozed: 'true' });
    expect(asleep.items.map(({ id }) => id)).toEqual([first]);
    expect(Date.parse(asleep.items[0]!.snoozedUntil!)).toBe(Date.parse(until));
    expect(asleep.tabs).toEqual(found.tabs);
    expect(await idsOf(viewer!, { ids: first })).toEqual([first]);
    expect(await idsOf(viewer!, { ids: first, snoozed: 'false' })).toEqual([]);
    expect(await idsOf(editor!, here)).toEqual([first, second]);
    await service.sql(`UPDATE attention_snoozes SET until = now() WHERE cause = $1`, [first]);
    expect(await idsOf(viewer!, here)).toEqual([first, second]);
  });

  it('is awake again where the caller wakes it', async () => {
    const place = await aProject(editor!);
    const item = `review:${(await review(place)).id}`;
    await expectSuccess(snooze(viewer!, [item]));
    expect(await idsOf(viewer!, { projectId: place.id })).toEqual([]);
    expect((await snooze(viewer!, [item], null)).body).toEqual({ changed: [item], unknown: [] });
    expect(await idsOf(viewer!, { projectId: place.id })).toEqual([item]);
  });

  it('comes back when more issues wait for it, and when it becomes more serious', async () => {
    const place = await aProject(editor!);
    const issue = await review(place);
    const item = `review:${issue.id}`;
    const listed = async () => (await idsOf(viewer!, { projectId: place.id })).includes(item);
    await expectSuccess(snooze(viewer!, [item]));
    expect(await listed()).toBe(false);
    await aLink(editor!, issue, await anIssue(editor!, place));
    expect(await listed()).toBe(true);
    await expectSuccess(snooze(viewer!, [item]));
    expect(await listed()).toBe(false);
    await service.sql(`UPDATE attention_snoozes SET severity = 1 WHERE cause = $1`, [item]);
    expect(await listed()).toBe(true);
  });

  it('does not hide a new cause under the same id', async () => {
    const place = await aProject(editor!);
    const issue = await review(place);
    const item = `review:${issue.id}`;
    await expectSuccess(snooze(viewer!, [item]));
    await expectSuccess(editor!.put(`/api/projects/issues/${issue.id}`, { status: 'InProgress' }));
    await expectSuccess(editor!.put(`/api/projects/issues/${issue.id}`, { status: 'PendingReview' }));
    expect(await idsOf(viewer!, { projectId: place.id })).toEqual([item]);
  });

  it('counts in no group, and a silent agent is snoozed as one item', async () => {
    const place = await aProject(editor!);
    const agent = await asAgent(service);
    const issue = await anIssue(editor!, place, { assignedAgentId: agent.id });
    const question = { question: `Twice ${place.key}?`, options: ['Yes'] };
    await ask(editor!, issue, question);
    const two = await ask(editor!, await anIssue(editor!, place), question);
    const [asked] = (await attention(viewer!, { projectId: place.id })).items;
    expect(asked?.group?.items).toBe(2);
    await expectSuccess(snooze(viewer!, [`gate:${two.id}`]));
    expect((await attention(viewer!, { projectId: place.id })).items[0]?.group).toBeNull();
    const hidden = await aProject(editor!, { visibility: 'members' });
    const worker = await asAgent(service);
    const entries = [{ agentId: worker.id, role: 'Viewer' }];
    await expectSuccess(service.owner.put(`/api/projects/${hidden.id}/members`, { entries }));
    for (const where of [place, hidden]) await anIssue(editor!, where, { assignedAgentId: worker.id });
    await expectSuccess(worker.post('/api/agents/me/heartbeat', {}));
    await service.sql(`UPDATE agents SET last_heartbeat_at = now() - interval '1 hour' WHERE id = $1`, [
      worker.id,
    ]);
    const silent = `agent_silent:${worker.id}`;
    expect(await idsOf(admin!, { tab: 'broken' })).toContain(silent);
    await expectSuccess(snooze(admin!, [silent]));
    expect(await idsOf(admin!, { tab: 'broken' })).not.toContain(silent);
    expect(await idsOf(admin!, { snoozed: 'true' })).toContain(silent);
    expect(await idsOf(viewer!, { tab: 'broken' })).toContain(silent);
  });

  it('is removed once its time is over, its cause gone, or another cause in its place', async () => {
    const person = await asViewer(service);
    const place = await aProject(editor!);
    const [kept, over, later] = [await review(place), await review(place), await review(place)];
    await expectSuccess(
      snooze(
        person,
        [kept, over, later].map(({ id }) => `review:${id}`),
      ),
    );
    const put = (change: string, id: string) =>
      service.sql(`UPDATE attention_snoozes SET ${change} WHERE cause = $1`, [id]);
    await put('until = now()', `review:${over.id}`);
    await put(`since = since - interval '1 day'`, `review:${later.id}`);
    await service.sql(
      `INSERT INTO attention_snoozes (user_id, cause, since, issues, severity, until)
       VALUES ($1, 'review:gone', now(), 0, 0, now() + interval '1 day')`,
      [person.id],
    );
    await service.sql(sweepSql, [5, 900, 1_800]);
    const left = await service.sql('SELECT cause FROM attention_snoozes WHERE user_id = $1', [person.id]);
    expect(left).toEqual([{ cause: `review:${kept.id}` }]);
  });

  it('cannot be one that the caller does not see', async () => {
    const hidden = await aProject(editor!, { visibility: 'members' });
    const item = `review:${(await review(hidden)).id}`;
    expect((await snooze(viewer!, [item])).body).toEqual({ changed: [], unknown: [item] });
    expect((await snooze(editor!, [item])).body).toEqual({ changed: [item], unknown: [] });
    expect((await (await asAgent(service)).put('/api/attention/snoozes', { items: [item] })).status).toBe(
      403,
    );
  });

  it('is one of at most 1,000 for each user', async () => {
    const person = await asViewer(service);
    await service.sql(
      `INSERT INTO attention_snoozes (user_id, cause, since, issues, severity, until)
       SELECT $1, 'review:' || n, now(), 0, 0, now() + interval '1 day' FROM generate_series(1, 999) n`,
      [person.id],
    );
    const [first, second] = [`review:${(await review()).id}`, `review:${(await review()).id}`];
    await expectSuccess(snooze(person, [first]));
    await expectSuccess(snooze(person, [first], inMs(2 * HOUR_MS)));
    expect(await snooze(person, [second])).toMatchObject({ status: 409, body: { code: 'snooze_limit' } });
    expect((await snooze(person, [first], null)).status).toBe(200);
    await expectSuccess(snooze(person, [second]));
  });

  it.each([
    ['a time that is over', () => inMs(-1_000)],
    ['a time beyond 90 days', () => inMs(91 * 24 * HOUR_MS)],
    ['no time', () => 'tomorrow'],
  ])('returns 400 for %s', async (_, until) => {
    await expectInvalidPaths(snooze(viewer!, ['review:x'], until()), 'until');
  });

  it.each([
    ['no items', { items: [], until: null }, 'items'],
    ['no end', { items: ['review:x'] }, 'until'],
  ])('returns 400 for %s', async (_, body, path) => {
    await expectInvalidPaths(viewer!.put('/api/attention/snoozes', body), path);
  });
});
