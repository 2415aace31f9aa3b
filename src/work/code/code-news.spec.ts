import { describe, expect, it } from '@jest/globals';
import { aPullRequest, samples } from '../../../test/support/code-deliveries.js';
import { DeliveryOrderService, newsOf } from './code-deliveries.service.js';
import type { CodeHook } from './code.entity.js';

const HEAD = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';
const { github, gitlab, gitea } = samples;

describe('a delivery of GitHub', () => {
  it('reports a pull request with its branch, texts and author', () => {
    expect(newsOf('github', 'pull_request', github.pull_request)).toEqual({
      repository: 'https://github.com/Codertocat/Hello-World',
      checks: [],
      items: [
        {
          kind: 'pull_request',
          url: 'https://github.com/codertocat/hello-world/pull/2',
          title: 'Update the README with new information.',
          state: 'open',
          headSha: HEAD,
          author: 'Codertocat',
          at: new Date('2019-05-15T15:20:33Z'),
          order: null,
          branch: 'changes',
          texts: [
            'Update the README with new information.',
            'This is a pretty simple change that we need to pull into master.',
          ],
          trusted: { branch: true, texts: true },
        },
      ],
    });
  });

  it('trusts the texts of people who may write, and the branch of the repository itself', () => {
    const trustOf = (fields: Parameters<typeof aPullRequest>[0]) =>
      newsOf('github', 'pull_request', aPullRequest(fields))!.items[0]!.trusted;
    expect(trustOf({})).toEqual({ branch: true, texts: false });
    expect(trustOf({ fork: true })).toEqual({ branch: false, texts: false });
    expect(trustOf({ fork: true, association: 'CONTRIBUTOR' })).toEqual({ branch: false, texts: false });
    expect(trustOf({ fork: true, association: 'MEMBER' })).toEqual({ branch: false, texts: true });
  });

  it('reports the state of a pull request', () => {
    const stateOf = (fields: Parameters<typeof aPullRequest>[0]) =>
      newsOf('github', 'pull_request', aPullRequest(fields))!.items[0]!.state;
    expect(stateOf({ draft: true })).toBe('draft');
    expect(stateOf({ state: 'closed' })).toBe('closed');
    expect(stateOf({ state: 'closed', merged: true })).toBe('merged');
  });

  it('reports the branch and the commits of a push', () => {
    const { items } = newsOf('github', 'push', github.push)!;
    expect(items).toMatchObject([
      {
        kind: 'branch',
        url: 'https://github.com/codertocat/hello-world/tree/changes',
        title: 'changes',
        state: 'open',
        headSha: HEAD,
        at: new Date('2019-05-15T15:20:25Z'),
        order: { follows: github.push.before, isFirst: false },
        branch: 'changes',
      },
      { kind: 'commit', title: 'Update README.md', state: 'open', headSha: HEAD, author: 'Codertocat' },
    ]);
    const ended = newsOf('github', 'push', { ...github.push, after: '0'.repeat(40) })!.items[0];
    expect(ended).toMatchObject({ state: 'closed', headSha: null });
    const [commit] = github.push.commits;
    const unread = { ...commit, url: 'https://github.com/a/b/tree/%00', message: '\n' };
    const odd = { ...github.push, commits: [unread, commit] };
    expect(newsOf('github', 'push', odd)!.items.map(({ kind }) => kind)).toEqual(['branch', 'commit']);
    expect(newsOf('github', 'push', { ...github.push, ref: 'refs/tags/v1' })!.items).toEqual([]);
  });

  it.each([
    ['check_suite', github.check_suite, 'suite:118578147', '2019-05-15T15:21:14Z', HEAD],
    ['check_run', github.check_run, 'run:118578147:Octocoders-linter', '2019-05-15T15:21:12Z', HEAD],
    ['status', github.status, 'status:default', '2019-05-15T15:20:55Z', github.status.sha],
    [
      'workflow_run',
      github.workflow_run,
      'workflow:2823525:repository_dispatch',
      '2020-10-05T16:33:49Z',
      github.workflow_run.workflow_run.head_sha,
    ],
  ])('reports a check by %s', (event, payload, name, at, sha) => {
    expect(newsOf('github', event, payload)!.checks).toEqual([
      { sha, name, state: 'passing', at: new Date(at) },
    ]);
  });

  it('reports a suite as pending until it is complete, also while its first run has passed', () => {
    const run = github.check_run.check_run;
    const suite = { ...run.check_suite, status: 'in_progress', conclusion: null };
    const { checks } = newsOf('github', 'check_run', {
      ...github.check_run,
      check_run: { ...run, check_suite: suite },
    })!;
    expect(checks.map(({ name, state }) => [name, state])).toEqual([
      ['run:118578147:Octocoders-linter', 'passing'],
      ['suite:118578147', 'pending'],
    ]);
  });

  it('keeps runs of one name in two suites apart, and takes a run again of one suite for the same check', () => {
    const run = github.check_run.check_run;
    const [first, again, other] = [{}, { id: 2 }, { check_suite: { ...run.check_suite, id: 2 } }].map(
      (fields) => newsOf('github', 'check_run', { ...github.check_run, check_run: { ...run, ...fields } })!,
    );
    expect(again).toEqual(first);
    expect(other!.checks[0]!.name).not.toBe(first!.checks[0]!.name);
  });

  it.each([
    ['success', 'passing'],
    ['neutral', 'passing'],
    ['skipped', 'passing'],
    ['failure', 'failing'],
    ['cancelled', 'failing'],
    ['timed_out', 'failing'],
    ['startup_failure', 'failing'],
    ['action_required', 'pending'],
    [null, 'pending'],
  ])('counts the conclusion %s as %s', (conclusion, state) => {
    const payload = { ...github.check_suite, check_suite: { ...github.check_suite.check_suite, conclusion } };
    expect(newsOf('github', 'check_suite', payload)!.checks[0]!.state).toBe(state);
  });

  it('is nothing for an event about something else, and for a payload of another form', () => {
    expect(newsOf('github', 'ping', { zen: 'Design for failure.' })).toBeNull();
    expect(newsOf('github', 'issues', { ...github.pull_request })).toBeNull();
    for (const payload of [null, 1, 'text', [], {}, { repository: 1 }])
      expect(newsOf('github', 'pull_request', payload)).toBeNull();
    const odd = { repository: github.push.repository, pull_request: { html_url: 'javascript:alert(1)' } };
    expect(newsOf('github', 'pull_request', odd)!.items).toEqual([]);
  });

  const checksOf = (event: string, fields: object) =>
    newsOf('github', event, { repository: github.push.repository, ...fields })!.checks;

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'takes %s, which every object has, for no event, state or conclusion of its own',
    (name) => {
      expect(newsOf('github', name, github.check_suite)).toBeNull();
      expect(checksOf('status', { sha: HEAD, state: name })).toMatchObject([{ state: 'failing' }]);
      const suite = { head_sha: HEAD, status: 'completed', conclusion: name };
      expect(checksOf('check_suite', { check_suite: suite })).toMatchObject([{ state: 'failing' }]);
      const run = { ...gitlab.pipeline.object_attributes, status: name };
      expect(newsOf('gitlab', '', { ...gitlab.pipeline, object_attributes: run })!.checks).toMatchObject([
        { state: 'pending' },
      ]);
    },
  );

  it('names checks by texts and numbers alone, cut to what a key of the database holds', () => {
    const namesOf = (event: string, fields: object) => checksOf(event, fields).map(({ name }) => name);
    const run = { head_sha: HEAD, name: 'a\0b\uD800', app: { id: { toString: 1 } } };
    expect(namesOf('check_run', { check_run: run })).toEqual(['run::ab\u{FFFD}']);
    const nested = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    expect(namesOf('check_suite', { check_suite: { head_sha: HEAD, id: nested } })).toEqual(['suite:']);
    const flow = { head_sha: HEAD, workflow_id: 'build\0.yml', event: 'push' };
    expect(namesOf('workflow_run', { workflow_run: flow })).toEqual(['workflow:build.yml:push']);
    const [name] = namesOf('status', { sha: HEAD, context: '😀'.repeat(3_000) });
    expect(name).toHaveLength(300);
    expect(name).not.toMatch(/\p{Surrogate}/u);
  });

  it('keeps texts that a column takes, and no time of the future', () => {
    const payload = aPullRequest({ title: `a\0${'x'.repeat(499)}😀`, updatedAt: '2999-01-01T00:00:00Z' });
    const [item] = newsOf('github', 'pull_request', payload)!.items;
    expect(item!.title).toHaveLength(500);
    expect(item!.title).not.toMatch(/\p{Surrogate}/u);
    expect(item!.at!.getTime()).toBeLessThanOrEqual(Date.now());
  });
});

describe('a delivery of GitLab', () => {
  it('reports a merge request', () => {
    expect(newsOf('gitlab', 'Merge Request Hook', gitlab.merge_request)!.items).toMatchObject([
      {
        kind: 'pull_request',
        url: 'https://gitlab.com/gitlab-org/hello-world/merge_requests/1',
        title: 'update readme',
        state: 'open',
        headSha: 'c4c79227ed610f1151f05bbc5be33b4f340d39c8',
        author: 'sytses',
        at: new Date('2017-12-10T17:01:11Z'),
        branch: 'feature',
        trusted: { branch: true, texts: true },
      },
    ]);
    const { object_attributes: merge } = gitlab.merge_request;
    const of = (fields: object) =>
      newsOf('gitlab', '', { ...gitlab.merge_request, object_attributes: { ...merge, ...fields } })!
        .items[0]!;
    expect(of({ source_project_id: 5 }).trusted).toEqual({ branch: false, texts: false });
    expect(of({ state: 'merged' }).state).toBe('merged');
    expect(of({ state: 'closed' }).state).toBe('closed');
    expect(of({ draft: true }).state).toBe('draft');
  });

  it('reports a push, and a pipeline as a check of its commit', () => {
    expect(newsOf('gitlab', 'Push Hook', gitlab.push)!.items).toMatchObject([
      { kind: 'branch', url: 'https://gitlab.com/gitlab-org/hello-world/-/tree/master', state: 'open' },
      { kind: 'commit', title: 'added readme', state: 'merged', author: 'Sid Sijbrandij' },
    ]);
    expect(newsOf('gitlab', 'Pipeline Hook', gitlab.pipeline)!.checks).toEqual([
      {
        sha: 'bcbb5ec396a2c0f828686f14fac9b80b780504f2',
        name: 'pipeline:merge_request_event',
        state: 'passing',
        at: new Date('2016-08-12T15:26:29Z'),
      },
    ]);
    const { object_attributes: run } = gitlab.pipeline;
    const stateOf = (status: string) =>
      newsOf('gitlab', '', { ...gitlab.pipeline, object_attributes: { ...run, status } })!.checks[0]!.state;
    expect(['failed', 'canceled', 'skipped', 'running', 'manual'].map(stateOf)).toEqual([
      ...['failing', 'failing', 'passing', 'pending', 'pending'],
    ]);
  });

  it('reports a pipeline that is retried as pending, later than its first end', () => {
    const { object_attributes: run } = gitlab.pipeline;
    const timeOf = (fields: object, ...builds: object[]) =>
      newsOf('gitlab', '', {
        ...gitlab.pipeline,
        builds,
        object_attributes: { ...run, ...fields },
      })!.checks[0]!.at!.toISOString();
    const first = { created_at: run.created_at, started_at: run.created_at, finished_at: run.finished_at };
    const ended = timeOf({ status: 'failed' }, first);
    const retried = { created_at: '2016-08-12 15:40:00 UTC', started_at: null, finished_at: null };
    expect(ended).toBe('2016-08-12T15:26:29.000Z');
    expect(timeOf({ status: 'running' }, first, retried)).toBe('2016-08-12T15:40:00.000Z');
    expect(timeOf({ status: 'running' }) > ended).toBe(true);
    expect(timeOf({ status: 'running', finished_at: null })).toBe('2016-08-12T15:23:28.000Z');
  });
});

describe('a delivery of Gitea', () => {
  it('reports a pull request, a push and a status', () => {
    expect(newsOf('gitea', 'pull_request', gitea.pull_request)!.items).toMatchObject([
      {
        url: 'https://try.gitea.io/jcitizen/my-repo/pulls/1',
        state: 'merged',
        branch: 'feature',
        trusted: { branch: true, texts: false },
      },
    ]);
    expect(newsOf('gitea', 'push', gitea.push)!.items).toMatchObject([
      { kind: 'branch', url: 'http://try.gitea.io/gogits/hello-world/src/branch/master', author: 'unknwon' },
      { kind: 'commit', title: 'Updated readme', state: 'merged' },
    ]);
    expect(newsOf('gitea', 'status', gitea.status)!.checks).toEqual([
      {
        sha: '2eba238e33607c1fa49253182e9fff42baafa1eb',
        name: 'status:ci/woodpecker',
        state: 'passing',
        at: new Date('2018-07-06T01:20:00Z'),
      },
    ]);
  });
});

describe('deliveries of one hook', () => {
  it('begin their transaction one after the other, whatever becomes of the one before', async () => {
    const begun: ((outcome: Promise<unknown>) => void)[] = [];
    const transactions = { run: () => new Promise((resolve) => begun.push(resolve)) };
    const chores = { add: () => undefined };
    const others = {} as never;
    const deliveries = new DeliveryOrderService(
      ...([others, others, others] as const),
      transactions as never,
      others,
      chores as never,
    );
    const apply = (hookId: string, id: string) => deliveries.apply({ id: hookId } as CodeHook, id, null);
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const [first, second, third] = [apply('one', '1'), apply('one', '2'), apply('one', '3')];
    await turn();
    expect(begun).toHaveLength(1);
    const ofAnother = apply('other', '1');
    await turn();
    expect(begun).toHaveLength(2);
    begun[1]!(Promise.resolve('of another'));
    expect(await ofAnother).toBe('of another');
    begun[0]!(Promise.reject(new Error('lost')));
    await expect(first).rejects.toThrow('lost');
    await turn();
    expect(begun).toHaveLength(3);
    begun[2]!(Promise.resolve('second'));
    expect(await second).toBe('second');
    await turn();
    begun[3]!(Promise.resolve('third'));
    expect(await third).toBe('third');
  });
});
