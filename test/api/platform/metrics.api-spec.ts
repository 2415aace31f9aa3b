import { describe, expect, it } from '@jest/globals';
import { aLink, aProject, anIssue } from '../../support/builders.js';
import { anonymous, asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();
const metrics = async () => (await anonymous(service).unchecked().get('/metrics')).text;
/** Returns the value of a series as text, or null. */
const valueOf = (text: string, series: string) => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length));
};

describe('GET /metrics', () => {
  it('is public and in the format of Prometheus', async () => {
    const answer = await anonymous(service).get('/metrics');
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': expect.stringContaining('text/plain; version=0.0.4') },
    });
    expect(answer.text).toContain('# TYPE awp_http_request_duration_seconds histogram');
    expect(answer.text).toMatch(/^awp_build_info\{version="\d+\.\d+\.\d+",node="\d+\.\d+\.\d+"\} 1$/m);
    for (const name of ['awp_nodejs_eventloop_lag_seconds', 'awp_agents_alive', 'awp_mcp_orphan_processes'])
      expect(valueOf(answer.text, name)).not.toBeNull();
    for (const state of ['open', 'idle', 'awaited'])
      expect(valueOf(answer.text, `awp_database_pool_connections{state="${state}"}`)).not.toBeNull();
  });

  it('counts requests by the template of their route, never by an id', async () => {
    const editor = await asEditor(service);
    const issue = await anIssue(editor, await aProject(editor));
    await editor.get(`/api/projects/issues/${issue.id}`);
    await anonymous(service).get('/nothing/here');
    const series = (method: string, route: string, status: number) =>
      `awp_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;
    const expected = [series('GET', '/api/projects/issues/:issueId', 200), series('GET', 'none', 404)];
    await until(async () => {
      const text = await metrics();
      return expected.every((one) => valueOf(text, one) === 1);
    });
    const text = await metrics();
    expect(text).not.toContain(issue.id);
  });

  it('counts what was committed, and not what was rejected', async () => {
    const editor = await asEditor(service);
    const count = async () => valueOf(await metrics(), 'awp_journal_rows_total{type="project.created"}') ?? 0;
    const before = await count();
    const { key } = await aProject(editor);
    expect((await editor.post('/api/projects', { key, name: 'taken' })).status).toBe(409);
    expect(await count()).toBe(before + 1);
  });

  it('has names that the linter of Prometheus accepts', async () => {
    const lines = (await metrics()).split('\n');
    const types = lines.flatMap((line) => {
      const [, name, type] = /^# TYPE (\S+) (\w+)$/.exec(line) ?? [];
      return name && type ? [{ name, type }] : [];
    });
    const described = new Set(lines.flatMap((line) => /^# HELP (\S+) \S/.exec(line)?.[1] ?? []));
    expect(types.length).toBeGreaterThan(60);
    expect(types.filter(({ name }) => !described.has(name) || !/^awp_[a-z0-9_]+$/.test(name))).toEqual([]);
    // A counter ends in _total, and nothing else does; units are base units.
    expect(types.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
    expect(
      types.filter(({ name }) =>
        /_(count|sum|bucket|info_total)$|_(ms|milliseconds|hours|days|kb|mb|percent)(_|$)/.test(name),
      ),
    ).toEqual([]);
  });

  it('contains no secret', async () => {
    expect(await metrics()).not.toContain(service.ownerKey);
  });
});

describe('the violation of an invariant', () => {
  it('is counted, and is 0 until the database is changed by hand', async () => {
    const own = ['waiting_for_nobody', 'going_on_blocked', 'stuck_in_circles'];
    const editor = await asEditor(service);
    const project = await aProject(editor);
    const [first, second] = [await anIssue(editor, project), await anIssue(editor, project)];
    await aLink(editor, first, second);
    const other = await service.second();
    const found = async (at: typeof service) => {
      const { text } = await anonymous(at).unchecked().get('/metrics');
      return own.map((invariant) => valueOf(text, `awp_invariant_violations{invariant="${invariant}"}`));
    };
    expect(await found(other)).toEqual([0, 0, 0]);
    await service.sql(`UPDATE issues SET status = 'WaitingOnDependency' WHERE id = $1`, [first.id]);
    const third = await service.second();
    expect(await found(third)).toEqual([1, 0, 0]);
    const { text } = await anonymous(third).unchecked().get('/metrics');
    expect(valueOf(text, 'awp_issues{status="WaitingOnDependency"}')).toBe(2);
  });
});
