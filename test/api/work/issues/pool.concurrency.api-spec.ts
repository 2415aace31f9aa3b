import { afterEach, beforeAll, expect, it } from '@jest/globals';
import { aComment, aLink, anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Answer } from '../../../support/answer.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent, asEditor } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { expectNoServerErrors, inBatches, upTo } from './concurrent-requests.js';
import { expectInvariants } from './invariants.js';
import { act, anIssueIn, link, pathOf, put, remove } from './issue-requests.js';

const POOL = 2;
/** Enough that each connection is taken by a request which would wait for a second one. */
const AT_ONCE = 4 * POOL;

const service = useService({ settings: { DATABASE_POOL_SIZE: String(POOL) } });
let editor: Caller;
let agent: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  agent = await asAgent(service);
  project = await aProject(editor);
});
afterEach(() => expectInvariants(service));

/** For each write: prepares what it needs, and returns the write itself. */
interface Write {
  need?: () => Promise<Issue>;
  write: (issue: Issue) => Promise<Answer<unknown>>;
}
const open = () => anIssue(editor, project);
const aChain = async () => {
  const issue = await open();
  await aLink(editor, issue, await open());
  return issue;
};
const WRITES: Record<string, Write> = {
  'create an issue': { write: () => editor.post(`/api/projects/${project.id}/issues`, { title: 'New' }) },
  'create a blocked issue': {
    need: open,
    write: ({ id }) =>
      editor.post(`/api/projects/${project.id}/issues`, { title: 'New', blockedByIssueId: id }),
  },
  'create an issue once, by Idempotency-Key': {
    need: open,
    write: ({ id }) =>
      editor.post(
        `/api/projects/${project.id}/issues`,
        { title: 'New' },
        { headers: { 'idempotency-key': id } },
      ),
  },
  'change a field': {
    need: open,
    write: (issue) => put(editor, issue, { title: 'Changed', assigneeUserId: editor.id }),
  },
  'resolve what blocks another': {
    need: aChain,
    write: (issue) => put(editor, issue, { status: 'Resolved' }),
  },
  'close by force what blocks another': {
    need: aChain,
    write: (issue) => act(editor, issue, 'close?force=true'),
  },
  'delete what blocks another': { need: aChain, write: (issue) => remove(editor, issue) },
  pause: {
    need: () => anIssueIn(editor, project, 'InProgress'),
    write: (issue) => act(editor, issue, 'pause'),
  },
  resume: {
    need: () => anIssueIn(editor, project, 'paused'),
    write: (issue) => act(editor, issue, 'resume'),
  },
  link: { need: open, write: (issue) => open().then((other) => link(editor, issue, 'BlockedBy', other)) },
  unlink: {
    need: aChain,
    write: async (issue) => {
      const links = await editor.get<{ id: string }[]>(`${pathOf(issue)}/links`);
      return editor.delete(`/api/projects/links/${links.body[0]!.id}`);
    },
  },
  comment: { need: open, write: (issue) => editor.post(`${pathOf(issue)}/comments`, { content: 'Hello' }) },
  heartbeat: {
    need: () => anIssue(editor, project, { assignedAgentId: agent.id }),
    write: () => agent.post('/api/agents/me/heartbeat', { capacity: 1 }),
  },
  turn: { need: open, write: ({ id }) => agent.post('/api/agents/me/turns', { issueId: id }) },
};

it.each(Object.keys(WRITES))(
  `${AT_ONCE} concurrent requests on ${POOL} connections all get a response: %s`,
  async (name) => {
    const { need = open, write } = WRITES[name]!;
    const subjects = await inBatches(AT_ONCE, 2, need);
    const answers = await Promise.all(subjects.map((issue) => write(issue)));
    expectNoServerErrors(answers);
    expect(answers.filter(({ status }) => status >= 300).map(({ text }) => text)).toEqual([]);
  },
);

it(`concurrent requests of all kinds on ${POOL} connections all get a response, and the service is ready afterwards`, async () => {
  const kinds = Object.values(WRITES);
  const subjects = await inBatches(kinds.length, 2, (number) => (kinds[number]!.need ?? open)());
  const answers = await Promise.all(subjects.map((issue, number) => kinds[number]!.write(issue)));
  expectNoServerErrors(answers);
  expect((await editor.unchecked().get('/readyz')).status).toBe(200);
  const [idle] = await service.sql<{ open: number }>(
    `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
  );
  expect(idle!.open).toBe(0);
});

it(`${AT_ONCE} concurrent writes to one issue all get a response`, async () => {
  const issue = await aChain();
  const answers = await Promise.all(
    upTo(AT_ONCE).map((number) => {
      if (number % 4 === 0) return put(editor, issue, { title: `Title ${number}` });
      if (number % 4 === 1) return put(editor, issue, { status: number % 8 === 1 ? 'Resolved' : 'Open' });
      if (number % 4 === 2) return aComment(editor, issue).then(() => act(editor, issue, 'close?force=true'));
      return open().then((other) => link(editor, issue, 'Blocks', other));
    }),
  );
  expectNoServerErrors(answers);
});
