import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CodeHookResponse } from '../../../../src/work/code/code.dto.js';
import { anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { anonymous, asAdmin, asAgent, asEditor, asViewer } from '../../../support/callers.js';
import {
  aCodeHook,
  aPullRequest,
  aStatus,
  type CodeHook,
  deliver,
  samples,
  signedByStandard,
  someSha,
} from '../../../support/code-deliveries.js';
import { useService } from '../../../support/service.js';
import type { Loose, Wire } from '../../../support/wire.js';
import { expectInvalidPaths, expectRefused } from '../issues/issue-requests.js';
import { whileUncommitted } from '../while-uncommitted.js';
import { codeOf, linkCode, listCode, pullUrl } from './code-requests.js';

const service = useService();
let admin: Caller;
let editor: Caller;
let viewer: Caller;
let agent: Caller;
let project: Project;
let hook: CodeHook;
beforeAll(async () => {
  [admin, editor, viewer, agent] = await Promise.all([
    asAdmin(service),
    asEditor(service),
    asViewer(service),
    asAgent(service),
  ]);
  project = await aProject(editor);
  hook = await aCodeHook(admin, project);
});

let pulls = 100;
/** The number of a pull request that no other test names. */
const aNumber = () => (pulls += 1);
const hooksOf = ({ id }: { id: string }) => `/api/projects/${id}/code-hooks`;
const send = (event: string, payload: unknown, options = {}) =>
  deliver(service, hook, event, payload, options);
const pull = (fields: Parameters<typeof aPullRequest>[0]) => send('pull_request', aPullRequest(fields));
const accepted = { status: 200, body: { outcome: 'accepted', detail: null } };
const typesOf = async (issue: Issue) =>
  (await viewer.get<Loose[]>(`/api/projects/issues/${issue.id}/activity`)).body
    .map(({ type }) => String(type))
    .filter((type) => type.startsWith('code.'));

describe('linking by address', () => {
  it('returns the pull request, which all who see the issue read', async () => {
    const issue = await anIssue(editor, project);
    const number = aNumber();
    const answer = await editor.post(codeOf(issue), {
      url: `https://github.com/Codertocat/Hello-World/pull/${number}/files?w=1`,
    });
    expect(answer).toMatchObject({
      status: 201,
      headers: { location: codeOf(issue) },
      body: {
        issueId: issue.id,
        kind: 'pull_request',
        url: pullUrl(number),
        title: `Codertocat/Hello-World#${number}`,
        state: 'open',
        checks: 'none',
        author: null,
        counts: true,
        createdBy: { type: 'user', id: editor.id },
      },
    });
    for (const caller of [viewer, agent]) expect(await listCode(caller, issue)).toEqual([answer.body]);
    expect(await linkCode(editor, issue, pullUrl(number))).toEqual(answer.body);
    expect(await typesOf(issue)).toEqual(['code.linked']);
  });

  it('knows a pull request that its code host reported before', async () => {
    const issue = await anIssue(editor, project);
    const [number, sha] = [aNumber(), someSha()];
    expect(await send('status', aStatus(sha, 'failure'))).toMatchObject(accepted);
    expect(await pull({ number, sha, title: 'Fix it', draft: true })).toMatchObject(accepted);
    expect(await linkCode(editor, issue, pullUrl(number))).toMatchObject({
      title: 'Fix it',
      state: 'draft',
      checks: 'failing',
      author: 'Codertocat',
    });
  });

  it('gives a commit that is named in full the checks that were reported before, meanwhile and later', async () => {
    const issue = await anIssue(editor, project);
    const repository = 'https://github.com/codertocat/hello-world';
    const [before, meanwhile, later] = [someSha(), someSha(), someSha()];
    const link = (sha: string) => linkCode(editor, issue, `${repository}/commit/${sha}`);
    await send('status', aStatus(before, 'success'));
    expect(await link(before)).toMatchObject({ kind: 'commit', state: 'open', checks: 'passing' });
    const reported = `
      WITH held AS (SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 32)))
      INSERT INTO code_checks (project_id, repository, sha, name, state, at)
      SELECT $1::uuid, $2, $3, 'x', 'failing', now() FROM held`;
    const linked = await whileUncommitted(service, reported, [project.id, repository, meanwhile], () =>
      link(meanwhile),
    );
    expect(linked).toMatchObject({ checks: 'failing' });
    expect(await link(later)).toMatchObject({ checks: 'none' });
    await send('status', aStatus(later, 'pending'));
    expect((await listCode(viewer, issue)).map(({ checks }) => checks)).toEqual([
      'passing',
      'failing',
      'pending',
    ]);
  });

  it('knows code however its repository and branch were written', async () => {
    const issue = await anIssue(editor, project);
    const number = aNumber();
    const [head, name] = [someSha(), `fix/a+b@${number}`];
    await linkCode(editor, issue, `https://GitHub.com/CODERTOCAT/hello-World/pull/${number}`);
    await linkCode(editor, issue, `https://github.com/codertocat/Hello-World/tree/${name}`);
    await pull({ number, title: issue.key, state: 'closed', association: 'OWNER' });
    await send('push', { ...samples.github.push, ref: `refs/heads/${name}`, after: head, commits: [] });
    await send('status', aStatus(head, 'success'));
    expect(await listCode(viewer, issue)).toMatchObject([
      { url: pullUrl(number), title: issue.key, state: 'closed' },
      { kind: 'branch', title: name, checks: 'passing' },
    ]);
  });

  it('is refused for other addresses, for viewers and for agents of others', async () => {
    const issue = await anIssue(editor, project);
    await expectInvalidPaths(editor.post(codeOf(issue), { url: 'https://github.com/acme/web' }), 'url');
    await expectInvalidPaths(
      editor.post(codeOf(issue), { url: 'https://github.com/acme/web/tree/%00' }),
      'url',
    );
    await expectInvalidPaths(editor.post(codeOf(issue), {}), 'url');
    await expectRefused(viewer.post(codeOf(issue), { url: pullUrl(1) }), 403, 'forbidden');
    await expectRefused(agent.post(codeOf(issue), { url: pullUrl(1) }), 403, 'not_yours');
    expect(await listCode(viewer, issue)).toEqual([]);
  });

  it('is undone by an Editor, and by the agent that made it', async () => {
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    const [own, other] = [
      await linkCode(agent, issue, pullUrl(aNumber())),
      await linkCode(editor, issue, pullUrl(1)),
    ];
    const path = ({ id }: { id: string }) => `/api/projects/code/${id}`;
    await expectRefused(agent.delete(path(other)), 403, 'forbidden');
    await expectRefused(viewer.delete(path(other)), 403, 'forbidden');
    expect((await agent.delete(path(own))).status).toBe(204);
    expect((await editor.delete(path(other))).status).toBe(204);
    await expectRefused(editor.delete(path(other)), 404, 'not_found');
    expect(await listCode(viewer, issue)).toEqual([]);
    expect(await typesOf(issue)).toEqual(['code.linked', 'code.linked', 'code.unlinked', 'code.unlinked']);
  });

  /** Links commits that no other test names to an issue. */
  const fill = (issue: Issue, links: number, counts: boolean) =>
    service.sql(
      `WITH items AS (
         INSERT INTO code_items (id, project_id, kind, url, repository, title)
         SELECT gen_random_uuid(), $1, 'commit', 'https://x.io/a/b/commit/' || gen_random_uuid(), 'https://x.io/a/b', 'x'
         FROM generate_series(1, $3::int) RETURNING id)
       INSERT INTO code_links (id, issue_id, item_id, counts, created_by_type, created_by_name)
       SELECT gen_random_uuid(), $2, id, $4, 'system', 'system' FROM items`,
      [project.id, issue.id, links, counts],
    );

  it('ends at 200 for one issue, also for deliveries', async () => {
    const issue = await anIssue(editor, project);
    await fill(issue, 200, true);
    await expectRefused(editor.post(codeOf(issue), { url: pullUrl(aNumber()) }), 409, 'link_limit');
    expect(await pull({ number: aNumber(), title: issue.key, association: 'OWNER' })).toMatchObject(accepted);
    expect(await listCode(viewer, issue)).toHaveLength(200);
  });

  it('leaves 150 places of an issue to those who may write', async () => {
    const issue = await anIssue(editor, project);
    await fill(issue, 49, false);
    const [last, refused, member] = [aNumber(), aNumber(), aNumber()];
    for (const number of [last, refused])
      expect(await pull({ number, title: issue.key, fork: true })).toMatchObject(accepted);
    expect(await pull({ number: member, title: issue.key, fork: true, association: 'MEMBER' })).toMatchObject(
      accepted,
    );
    const listed = await listCode(viewer, issue);
    expect(listed.slice(49)).toMatchObject([
      { url: pullUrl(last), counts: false },
      { url: pullUrl(member), counts: true },
    ]);
    await linkCode(editor, issue, pullUrl(last));
    expect(await pull({ number: refused, title: issue.key, fork: true })).toMatchObject(accepted);
    expect(await listCode(viewer, issue)).toHaveLength(52);
  });
});

describe('the hooks of a project', () => {
  it('show their secret once, and again only when it is made again', async () => {
    const place = await aProject(editor);
    const body = {
      provider: 'github',
      repositories: ['https://github.com/Acme/Web/', 'https://github.com/acme/web'],
    };
    const made = await admin.put<CodeHook>(hooksOf(place), body);
    expect(made).toMatchObject({
      status: 200,
      body: {
        projectId: place.id,
        repositories: ['https://github.com/acme/web'],
        path: `/api/hooks/github/${made.body.id}`,
        secret: expect.stringMatching(/^whsec_/),
        lastDeliveryAt: null,
      },
    });
    const again = await admin.put<CodeHook>(hooksOf(place), { ...body, repositories: [] });
    expect(again.body).toMatchObject({ id: made.body.id, repositories: [], secret: null });
    const rotated = await admin.put<CodeHook>(hooksOf(place), { ...body, rotateSecret: true });
    expect(rotated.body.secret).not.toBe(made.body.secret);
    const [listed, ...others] = (await editor.get<Wire<CodeHookResponse>[]>(hooksOf(place))).body;
    expect(others).toEqual([]);
    expect(listed).not.toHaveProperty('secret');
    expect((await deliver(service, made.body, 'ping', {})).status).toBe(401);
    expect((await deliver(service, rotated.body, 'ping', {})).status).toBe(200);
    const stored = await service.sql<{ text: string }>(
      `SELECT sealed || (SELECT string_agg(data::text, '') FROM journal WHERE subject_id = h.id::text) AS text FROM code_hooks h WHERE id = $1`,
      [made.body.id],
    );
    expect(stored[0]!.text).not.toContain(rotated.body.secret!.slice(6));
  });

  it('are set and deleted by Admins alone, and end with their deletion', async () => {
    const place = await aProject(editor);
    const { id } = await aCodeHook(admin, place, 'gitea');
    await expectRefused(
      editor.put(hooksOf(place), { provider: 'gitea', repositories: [] }),
      403,
      'forbidden',
    );
    await expectRefused(editor.delete(`/api/projects/code-hooks/${id}`), 403, 'forbidden');
    await expectRefused(viewer.get(hooksOf(place)), 403, 'forbidden');
    await expectInvalidPaths(admin.put(hooksOf(place), { provider: 'svn', repositories: [] }), 'provider');
    await expectInvalidPaths(
      admin.put(hooksOf(place), { provider: 'gitea', repositories: ['https://x.io/a/b', 'acme/web'] }),
      'repositories[1]',
    );
    expect((await admin.delete(`/api/projects/code-hooks/${id}`)).status).toBe(204);
    await expectRefused(admin.delete(`/api/projects/code-hooks/${id}`), 404, 'not_found');
  });
});

describe('a delivery', () => {
  it('links what names an issue of the project by its key, and updates it', async () => {
    const [one, two, three] = [
      await anIssue(editor, project),
      await anIssue(editor, project),
      await anIssue(editor, project),
    ];
    const [number, sha] = [aNumber(), someSha()];
    const fields = {
      number,
      sha,
      association: 'MEMBER',
      branch: `ada/${one.key.toLowerCase()}-fix`,
      title: `${two.key}: fix`,
      body: `Also ${three.key}, NONE-1 and ${three.key}`,
    };
    expect(await pull(fields)).toMatchObject(accepted);
    for (const issue of [one, two, three])
      expect(await listCode(viewer, issue)).toMatchObject([
        { url: pullUrl(number), state: 'open', checks: 'none', counts: true, createdBy: { type: 'system' } },
      ]);
    await send('status', aStatus(sha, 'pending'));
    expect(await listCode(viewer, one)).toMatchObject([{ checks: 'pending' }]);
    await send('status', aStatus(sha, 'success'));
    await send('status', aStatus(sha, 'failure', 'ci/lint'));
    expect(await listCode(viewer, one)).toMatchObject([{ checks: 'failing' }]);
    await send('status', aStatus(sha, 'success', 'ci/lint'));
    expect(await listCode(viewer, one)).toMatchObject([{ checks: 'passing' }]);
    await pull({ ...fields, sha: someSha() });
    expect(await listCode(viewer, one)).toMatchObject([{ checks: 'none' }]);
    await pull({ ...fields, state: 'closed', merged: true });
    expect(await listCode(viewer, one)).toMatchObject([{ state: 'merged' }]);
    expect((await viewer.get<Issue>(`/api/projects/issues/${one.id}`)).body).toMatchObject({
      status: 'Open',
      version: 1,
    });
  });

  it('links branches and commits of a push', async () => {
    const issue = await anIssue(editor, project);
    const [head, commit] = [someSha(), samples.github.push.commits[0]!];
    const push = {
      ...samples.github.push,
      ref: `refs/heads/${issue.key}-branch`,
      after: head,
      commits: [
        {
          ...commit,
          id: head,
          url: `https://github.com/Codertocat/Hello-World/commit/${head}`,
          message: `Fix ${issue.key}\n\nBody`,
        },
      ],
    };
    expect(await send('push', push)).toMatchObject(accepted);
    await send('status', aStatus(head, 'success'));
    expect(await listCode(viewer, issue)).toMatchObject([
      { kind: 'branch', title: `${issue.key}-branch`, state: 'open', checks: 'passing' },
      { kind: 'commit', title: `Fix ${issue.key}`, checks: 'passing' },
    ]);
    await send('push', { ...push, after: '0'.repeat(40), commits: [] });
    expect(await listCode(viewer, issue)).toMatchObject([{ state: 'closed' }, { kind: 'commit' }]);
  });

  it('of GitLab and of Gitea does the same', async () => {
    const gitlab = await aCodeHook(admin, project, 'gitlab');
    const gitea = await aCodeHook(admin, project, 'gitea');
    const issue = await anIssue(editor, project);
    const { merge_request: merge, pipeline } = samples.gitlab;
    const of = {
      ...merge,
      object_attributes: { ...merge.object_attributes, description: `Closes ${issue.key}` },
    };
    expect(await deliver(service, gitlab, 'Merge Request Hook', of)).toMatchObject(accepted);
    const run = {
      ...pipeline,
      project: merge.project,
      object_attributes: { ...pipeline.object_attributes, sha: merge.object_attributes.last_commit.id },
    };
    expect(await deliver(service, gitlab, 'Pipeline Hook', run)).toMatchObject(accepted);
    const request = samples.gitea.pull_request;
    const giteaPull = { ...request, pull_request: { ...request.pull_request, title: `${issue.key} done` } };
    expect(await deliver(service, gitea, 'pull_request', giteaPull)).toMatchObject(accepted);
    expect(await deliver(service, gitea, 'status', samples.gitea.status)).toMatchObject(accepted);
    expect(await listCode(viewer, issue)).toMatchObject([
      { url: merge.object_attributes.url, checks: 'passing', state: 'open', counts: true },
      { url: request.pull_request.html_url, checks: 'passing', state: 'merged', counts: false },
    ]);
    const body = JSON.stringify(of);
    const headers = { 'x-gitlab-token': '', ...signedByStandard(gitlab.secret!, randomUUID(), body) };
    expect(await deliver(service, gitlab, 'Merge Request Hook', body, { headers })).toMatchObject(accepted);
  });

  it('that comes twice changes nothing the second time', async () => {
    const issue = await anIssue(editor, project);
    const [number, id] = [aNumber(), randomUUID()];
    const payload = aPullRequest({ number, title: issue.key, association: 'OWNER' });
    expect(await send('pull_request', payload, { id })).toMatchObject(accepted);
    const [link] = await listCode(viewer, issue);
    await editor.delete(`/api/projects/code/${link!.id}`);
    expect(await send('pull_request', payload, { id })).toMatchObject({
      status: 200,
      body: { outcome: 'replayed' },
    });
    expect(await listCode(viewer, issue)).toEqual([]);
    const [kept] = await service.sql(`SELECT received_at FROM code_deliveries WHERE delivery_id = $1`, [id]);
    expect(kept).toBeDefined();
  });

  it('that is older than what is known changes nothing', async () => {
    const issue = await anIssue(editor, project);
    const [number, sha] = [aNumber(), someSha()];
    const at = (minute: number) => `2024-05-01T10:0${minute}:00Z`;
    await pull({ number, sha, title: issue.key, association: 'OWNER', state: 'closed', updatedAt: at(5) });
    await pull({ number, sha, title: issue.key, association: 'OWNER', updatedAt: at(3) });
    await send('status', aStatus(sha, 'success', 'ci', at(5)));
    await send('status', aStatus(sha, 'pending', 'ci', at(3)));
    await send('status', aStatus(sha, 'pending', 'ci', at(5)));
    expect(await listCode(viewer, issue)).toMatchObject([{ state: 'closed', checks: 'passing' }]);
  });

  it('of a push that arrives after a later one changes nothing, whatever the times of the commits', async () => {
    const place = await aProject(editor);
    const [gitlab, github] = [await aCodeHook(admin, place, 'gitlab'), await aCodeHook(admin, place)];
    const issue = await anIssue(editor, place);
    const [first, second, third] = [someSha(), someSha(), someSha()];
    const none = '0'.repeat(40);
    /** @param minute of the commit that is pushed */
    const push = (before: string, after: string, minute: number) =>
      deliver(service, gitlab, 'Push Hook', {
        ...samples.gitlab.push,
        ...{ ref: `refs/heads/${issue.key}`, before, after },
        commits: [
          { ...samples.gitlab.push.commits[0], id: after, timestamp: `2024-05-01T10:0${minute}:00Z` },
        ],
      });
    const branch = async () => {
      const [row] = await service.sql(
        'SELECT state, head_sha FROM code_items WHERE title = $1 AND project_id = $2',
        [issue.key, place.id],
      );
      return row;
    };
    await push(first, second, 2);
    await push(none, first, 1);
    expect(await branch()).toEqual({ state: 'open', head_sha: second });
    // A person takes a commit back by force, which pushes an older one.
    await push(second, first, 1);
    expect(await branch()).toEqual({ state: 'open', head_sha: first });
    await push(first, none, 0);
    await push(first, third, 3);
    expect(await branch()).toMatchObject({ state: 'closed' });
    await push(none, first, 1);
    expect(await branch()).toEqual({ state: 'open', head_sha: first });
    const onGitHub = (after: string, seconds: number) =>
      deliver(service, github, 'push', {
        ...samples.github.push,
        ...{ ref: `refs/heads/${issue.key}-2`, before: first, after },
        repository: { ...samples.github.push.repository, pushed_at: 1_714_557_600 + seconds },
      });
    await onGitHub(second, 2);
    await onGitHub(third, 1);
    expect(await service.sql('SELECT head_sha FROM code_items WHERE title = $1', [`${issue.key}-2`])).toEqual(
      [{ head_sha: second }],
    );
  });

  it('of a repository that the hook does not name changes nothing', async () => {
    const issue = await anIssue(editor, project);
    const payload = aPullRequest({ number: aNumber(), title: issue.key, association: 'OWNER' });
    const foreign = { ...payload, repository: { html_url: 'https://github.com/octo-org/octo-repo' } };
    expect(await send('pull_request', foreign)).toMatchObject({ status: 200, body: { outcome: 'ignored' } });
    expect(await send('ping', { zen: 'x' })).toMatchObject({ status: 200, body: { outcome: 'ignored' } });
    expect(await listCode(viewer, issue)).toEqual([]);
    const other = await anIssue(editor, await aProject(editor));
    await pull({ number: aNumber(), title: other.key, association: 'OWNER' });
    expect(await listCode(viewer, other)).toEqual([]);
  });

  it('of an outsider links without counting, and names at most 50 issues', async () => {
    const issue = await anIssue(editor, project);
    const [number, sha] = [aNumber(), someSha()];
    await send('status', aStatus(sha, 'failure'));
    await pull({ number, sha, title: issue.key, branch: issue.key, fork: true });
    expect(await listCode(viewer, issue)).toMatchObject([{ checks: 'failing', counts: false }]);
    const listed = await viewer.get<Loose[]>(
      `/api/projects/${project.id}/issues?fields=summary,why&ids=${issue.id}`,
    );
    expect(listed.body).toMatchObject([{ code: { open: 0, failing: 0 } }]);
    await linkCode(editor, issue, pullUrl(number));
    expect(await listCode(viewer, issue)).toMatchObject([{ counts: true, createdBy: { type: 'system' } }]);
    const after = await viewer.get<Loose[]>(
      `/api/projects/${project.id}/issues?fields=summary,why&ids=${issue.id}`,
    );
    expect(after.body).toMatchObject([{ code: { open: 1, failing: 1 } }]);
    const place = await aProject(editor);
    const many = await aCodeHook(admin, place);
    for (let count = 0; count < 52; count += 1) await anIssue(editor, place);
    const body = Array.from({ length: 52 }, (_, at) => `${place.key}-${at + 1}`).join(' ');
    await deliver(service, many, 'pull_request', aPullRequest({ number: 1, body, association: 'OWNER' }));
    const [found] = await service.sql<{ count: string }>(
      'SELECT count(*) FROM code_links l JOIN issues i ON i.id = l.issue_id WHERE i.project_id = $1',
      [place.id],
    );
    expect(Number(found!.count)).toBe(50);
  });

  it('is answered alike for a wrong signature, an unknown hook and another provider', async () => {
    const payload = aPullRequest({ number: aNumber() });
    const answers = await Promise.all([
      send('pull_request', payload, { secret: 'whsec_wrong' }),
      deliver(service, { ...hook, path: `/api/hooks/github/${randomUUID()}` }, 'pull_request', payload),
      deliver(service, { ...hook, path: '/api/hooks/github/x' }, 'pull_request', payload),
      deliver(service, { ...hook, path: `/api/hooks/gitea/${hook.id}` }, 'pull_request', payload),
      deliver(service, { ...hook, path: `/api/hooks/other/${hook.id}` }, 'pull_request', payload),
    ]);
    for (const { status, body, headers } of answers) {
      const { requestId: _, instance: __, ...rest } = body;
      expect({ status, ...rest }).toMatchObject({ status: 401, code: 'unauthenticated' });
      expect(rest).toEqual({ ...rest, detail: answers[0]!.body['detail'] });
      expect(headers['www-authenticate']).toBe(answers[0]!.headers['www-authenticate']);
    }
    const changed = JSON.stringify(payload).replace('README', 'readme');
    const signed = { 'x-hub-signature-256': 'sha256=0' };
    expect((await send('pull_request', changed, { headers: signed })).status).toBe(401);
  });

  it('is refused without its headers, in another form, and where it is no JSON', async () => {
    await expectInvalidPaths(send('pull_request', {}, { headers: { 'x-github-delivery': '' } }), 'headers');
    await expectRefused(
      send('push', {}, { headers: { 'content-type': 'text/plain' } }),
      415,
      'unsupported_media_type',
    );
    await expectRefused(send('push', 'payload=%7B%7D'), 400, 'malformed_json');
  });

  it('of 25 MB is accepted, and a larger one refused whoever sends it', async () => {
    const { limits } = (await viewer.get<{ limits: { codeDeliveryMaxBytes: number } }>('/api/info')).body;
    const most = limits.codeDeliveryMaxBytes;
    const empty = JSON.stringify({ ...aPullRequest({ number: aNumber() }), padding: '' });
    const filled = empty.replace(
      '"padding":""',
      `"padding":"${'x'.repeat(most - Buffer.byteLength(empty))}"`,
    );
    expect(await send('pull_request', filled)).toMatchObject(accepted);
    const anyone = { ...hook, path: `/api/hooks/github/${randomUUID()}` };
    await expectRefused(send('pull_request', `${filled} `), 413, 'payload_too_large');
    await expectRefused(deliver(service, anyone, 'pull_request', `${filled} `), 413, 'payload_too_large');
  });

  it('is refused for a minute at an address where 60 had a wrong signature', async () => {
    const victim = { ...hook, path: `/api/hooks/github/${randomUUID()}` };
    const statuses: number[] = [];
    for (let count = 0; count < 61; count += 1)
      statuses.push((await deliver(service, victim, 'push', {})).status);
    expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 401));
    expect(statuses[60]).toBe(429);
    expect((await send('ping', {})).status).toBe(200);
    expect((await anonymous(service).get(hook.path)).status).toBe(405);
  });
});
