import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { aComment, aGoal, aLabel, aLink, anAgent, anIssue, aProject } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAdmin } from '../../../support/callers.js';
import { OneConnection } from '../../../support/database-of.js';
import { useService } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { WAITING_FOR_LOCKS } from '../../../support/waiting-for-locks.js';
import { keptOf } from '../attachments.stores.js';
import { expectInvariants } from '../issues/invariants.js';
import { canonical, ended, exported, imported, issuesIn, report, send } from './import-requests.js';

const service = useService();
let admin: Caller;
beforeAll(async () => {
  admin = await asAdmin(service);
});

const line = (value: object) => `${JSON.stringify(value)}\n`;
const HEAD = line({ kind: 'project', format: 'agent-work-platform', version: 1, key: 'X', name: 'x' });
const END = line({ kind: 'end' });
const issue = (externalId: string, more: object = {}) =>
  line({ kind: 'issue', externalId, title: externalId, status: 'Open', ...more });

/** A list of NUL, halves of surrogate pairs, and a whole pair, which stays. */
const ODD = 'a\u0000b\ud800c\udc00d😀';
const LONG = 'x'.repeat(1_000_000);

describe('a file whose texts cannot be stored', () => {
  it.each([
    [
      'in an id, a reference, a name, a time, a label and a field of its own',
      'awp',
      HEAD +
        issue(ODD, {
          ...{ goal: ODD, agent: ODD, assignee: ODD, labels: [ODD], createdAt: ODD },
          createdBy: { type: 'user', name: ODD },
        }) +
        line({ kind: 'comment', externalId: ODD, issue: ODD, content: ODD }) +
        line({ kind: 'comment', externalId: 'lost', issue: `${ODD}?`, content: ODD }) +
        line({ kind: 'link', linkType: 'Blocks', source: ODD, target: `${ODD}?` }) +
        line({ kind: 'code', issue: ODD, url: `https://github.com/a/b/pull/7${ODD}` }) +
        line({
          kind: 'schedule',
          name: ODD,
          cron: ODD,
          timeZone: ODD,
          template: { title: ODD, parent: ODD },
        }) +
        END,
    ],
    [
      'in names of fields, kinds of dependencies and statuses of Beads',
      'beads',
      line({
        ...{ id: ODD, title: ODD, status: ODD, [ODD]: ODD, issue_type: ODD, assignee: ODD },
        dependencies: [{ type: ODD, depends_on_id: ODD }],
        comments: [{ id: ODD, text: ODD, author: ODD }],
      }),
    ],
    [
      'in cells and in the names of columns',
      'jira',
      'Issue key,Summary,Assignee,Od\0d,Labels\nJ-\0,a\0b,\0,\0,\0\n',
    ],
  ])('is imported with replacement characters %s', async (_, format, file) => {
    const project = await aProject(admin);
    const done = await imported(admin, project, file, `?format=${format}`);
    expect(done).toMatchObject({ state: 'completed', failure: null });
    expect(await issuesIn(admin, project)).toHaveLength(1);
    expect(await imported(admin, project, file, `?format=${format}`)).toMatchObject({ created: 0 });
    expect(await issuesIn(admin, project)).toHaveLength(1);
    expect((await exported(admin, project)).includes('\\u0000')).toBe(false);
  });

  it('is imported where names and texts have a megabyte, with a report that can be read', async () => {
    const project = await aProject(admin);
    const file =
      HEAD +
      issue('a', {
        title: LONG,
        agent: LONG,
        assignee: LONG,
        goal: LONG,
        labels: [LONG],
        description: LONG,
      }) +
      issue(LONG) +
      line({ kind: 'comment', externalId: 'c', issue: LONG, content: 'x' }) +
      line({ kind: 'link', linkType: 'Blocks', source: LONG, target: 'a' }) +
      line({ kind: LONG }) +
      line({ kind: 'label', name: 'l', description: LONG }) +
      line({ kind: 'schedule', name: LONG, cron: LONG, timeZone: LONG, template: { title: LONG } }) +
      line({ kind: 'code', issue: 'a', url: `https://github.com/a/b/pull/${'7'.repeat(1_000_000)}` }) +
      END;
    const done = await imported(admin, project, file);
    expect(done).toMatchObject({ state: 'completed', failure: null });
    expect(JSON.stringify(done).length).toBeLessThan(20_000);
    expect(await issuesIn(admin, project)).toHaveLength(1);
    const beads = await aProject(admin);
    const fields = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`${at}${LONG}`, 1]));
    const other = await imported(
      admin,
      beads,
      line({ id: 'b', title: 'b', status: 'open', ...fields }),
      '?format=beads',
    );
    expect(other).toMatchObject({ state: 'completed', created: 1 });
    expect(JSON.stringify(other).length).toBeLessThan(20_000);
  });

  it('is refused as a whole where it is in another charset, before anything is written', async () => {
    const project = await aProject(admin);
    for (const bytes of [
      Buffer.from(`${HEAD}${issue('ä')}${END}`, 'latin1'),
      Buffer.from(`\ufeff${HEAD}${issue('a')}${END}`, 'utf16le'),
    ]) {
      const started = await send(admin, project, bytes as unknown as string);
      expect(await ended(admin, started.body)).toMatchObject({
        state: 'failed',
        failure: 'The file is not in UTF-8; convert it first.',
      });
    }
    expect(await issuesIn(admin, project)).toEqual([]);
  });
});

describe('a file with values that nothing here has', () => {
  it.each([
    [
      'jira',
      'Issue key,Summary,Created,Updated,Priority,Status\nJ-1,a,0000-01-01,12345-01-01,constructor,Open\n',
    ],
    ['jira', 'Issue key,Summary,Created,Priority\nJ-1,a,"Jan 1, 99999",__proto__\n'],
    ['linear', 'ID,Title,Priority,Created,Completed\nL-1,a,toString,0001-01-01,+275760-09-13\n'],
    [
      'beads',
      line({
        ...{
          id: 'b',
          title: 'b',
          status: 'open',
          priority: 'constructor',
          created_at: '9999-12-31T23:59:59-12:00',
        },
        dependencies: [
          { type: 'constructor', depends_on_id: 'b' },
          { type: '__proto__', depends_on_id: 'b' },
        ],
      }),
    ],
    [
      'github',
      JSON.stringify([
        {
          ...{ number: 1, url: 'https://github.com/a/b/issues/1', title: 'a', state: 'OPEN' },
          createdAt: '-000001-01-01T00:00:00Z',
          labels: [{ name: 'P9' }, 'constructor'],
        },
      ]),
    ],
    [
      'awp',
      HEAD +
        issue('a', {
          priority: 'constructor',
          createdAt: '0000-00-00',
          closedAt: '+012345-01-01T00:00:00Z',
        }) +
        END,
    ],
  ])('is imported without them: %s', async (format, file) => {
    const project = await aProject(admin);
    const done = await imported(admin, project, file, `?format=${format}`);
    expect(done).toMatchObject({ state: 'completed', failure: null });
    expect(await issuesIn(admin, project)).toMatchObject([{ priority: 'none' }]);
    expect(Object.keys(done.ignored).filter((what) => what.endsWith('that is no time'))).not.toEqual([]);
  });

  it('leaves out a record with more values than one transaction may have', async () => {
    const project = await aProject(admin);
    const dependencies = Array.from({ length: 5_001 }, (_, at) => ({
      type: 'related',
      depends_on_id: String(at),
    }));
    const done = await imported(
      admin,
      project,
      line({ id: 'many', title: 'x', status: 'open', dependencies }) +
        line({ id: 'b', title: 'b', status: 'open' }),
      '?format=beads',
    );
    expect(done).toMatchObject({
      state: 'completed',
      created: 1,
      skipped: 1,
      errors: [{ line: 1, message: 'left out: the record has more than 5000 dependencies' }],
    });
  });

  it('says that an export was cut', async () => {
    const project = await aProject(admin);
    const done = await imported(admin, project, HEAD + issue('a'));
    expect(done).toMatchObject({
      created: 1,
      errors: [{ line: 2, message: 'the export has no line of the kind end: it is not whole' }],
    });
  });
});

describe('an export that comes back into its own project', () => {
  it('makes nothing twice, changes nothing, and writes no event of what is the same', async () => {
    const agent = await anAgent(admin);
    const project = await aProject(admin);
    const goal = await aGoal(admin, project);
    await aLabel(admin, project, { name: 'bug' });
    const one = await anIssue(admin, project, {
      goalId: goal.id,
      labels: ['bug'],
      assignedAgentId: agent.id,
    });
    const two = await anIssue(admin, project, { parentId: one.id });
    await aLink(admin, two, await anIssue(admin, project));
    await aComment(admin, one, 'A comment.');
    const before = await exported(admin, project);
    const events = async () => {
      const types = `SELECT type FROM journal WHERE project_id = $1 AND type NOT LIKE 'import.%'`;
      return (await service.sql(types, [project.id])).length;
    };
    const written = await events();
    expect(await imported(admin, project, before)).toMatchObject({ created: 0, skipped: 0, errors: [] });
    expect(await events()).toBe(written);
    expect(canonical(await exported(admin, project))).toEqual(canonical(before));
    await expectInvariants(service);
  });

  it('finds no objects of other projects by their ids', async () => {
    const project = await aProject(admin);
    const theirs = await anIssue(admin, await aProject(admin), { title: 'theirs' });
    await imported(admin, project, HEAD + issue(`awp:${theirs.id}`, { title: 'mine' }) + END);
    expect(await issuesIn(admin, project)).toMatchObject([{ title: 'mine' }]);
    expect((await admin.get(`/api/projects/issues/${theirs.id}`)).body).toMatchObject({ title: 'theirs' });
  });
});

describe('a file that is sent', () => {
  it('leaves nothing when its sender leaves in the middle', async () => {
    const project = await aProject(admin);
    const body = new PassThrough();
    body.on('error', () => undefined);
    body.write(HEAD + issue('a'));
    const leave = new AbortController();
    const sending = admin
      .post(`/api/projects/${project.id}/imports`, undefined, {
        rawBody: body,
        headers: { 'content-type': 'application/x-ndjson' },
        signal: leave.signal,
      })
      .catch(() => null);
    const leftovers = () => service.sql<{ id: string }>('SELECT id FROM attachment_leftovers');
    const [{ id }] = (await until(async () => {
      const rows = await leftovers();
      return rows.length > 0 && rows;
    })) as [{ id: string }];
    leave.abort();
    expect(await sending).toBeNull();
    await until(async () => (await leftovers()).length === 0);
    expect(await keptOf(service).ids()).not.toContain(id);
    expect(await service.sql('SELECT 1 FROM imports WHERE project_id = $1', [project.id])).toEqual([]);
  });

  it('has its bytes removed when its project is deleted before it is imported', async () => {
    const project = await aProject(admin);
    await service.sql(
      `INSERT INTO imports (id, project_id, format, state, claim, started_by_id, started_by_name, claimed_until)
       SELECT gen_random_uuid(), $1, 'awp', 'running', gen_random_uuid(), $2, 'x', now() + interval '1 hour'`,
      [project.id, admin.id],
    );
    const { body: started } = await send(admin, project, HEAD + issue('a') + END);
    expect(await keptOf(service).ids()).toContain(started.id);
    const { status } = await service.owner.delete(`/api/projects/${project.id}?confirm=true`);
    expect(status).toBe(204);
    await until(async () => !(await keptOf(service).ids()).includes(started.id));
  });
});

describe('imports at once', () => {
  const running = (projectId: string, count: number) =>
    service.sql(
      `INSERT INTO imports (id, project_id, format, state, claim, started_by_id, started_by_name, claimed_until)
       SELECT gen_random_uuid(), $1, 'awp', 'running', gen_random_uuid(), $2, 'x', now() + interval '1 hour'
       FROM generate_series(1, $3)`,
      [projectId, admin.id, count],
    );

  it('go one after the other in one project, so that one file twice makes everything once', async () => {
    const project = await aProject(admin);
    await running(project.id, 1);
    const { body: started } = await send(admin, project, HEAD + issue('a') + END);
    await imported(admin, await aProject(admin), HEAD + issue('b') + END);
    expect(await report(admin, started)).toMatchObject({ state: 'queued' });
    await service.sql(`DELETE FROM imports WHERE project_id = $1 AND state = 'running'`, [project.id]);
    expect(await ended(admin, started)).toMatchObject({ state: 'completed', created: 1 });
  });

  it('are at most five of one project, also where their files arrive at once', async () => {
    const project = await aProject(admin);
    await running(project.id, 4);
    const sent = await Promise.all(
      Array.from({ length: 8 }, () => send(admin, project, HEAD + issue('a') + END)),
    );
    expect(sent.map(({ status }) => status).toSorted()).toEqual([202, ...Array<number>(7).fill(429)]);
    await service.sql('DELETE FROM imports WHERE project_id = $1', [project.id]);
  });

  /** Runs `during` while the first batch of an import waits for its project. */
  async function whileItWaits(
    by: Caller,
    file: string,
    during: (projectId: string, id: string) => Promise<unknown>,
  ) {
    const project = await aProject(admin);
    const holder = await OneConnection.open(service.databaseUrl);
    await holder.rows('BEGIN');
    await holder.rows('SELECT 1 FROM projects WHERE id = $1 FOR NO KEY UPDATE', [project.id]);
    const { body: started } = await send(by, project, file);
    try {
      await until(async () => (await service.sql(WAITING_FOR_LOCKS)).length > 0);
      await during(project.id, started.id);
    } finally {
      await holder.end();
    }
    return { project, done: await ended(admin, started) };
  }

  it('end in the middle when their person may not write any more', async () => {
    const leaving = await asAdmin(service);
    const file = HEAD + Array.from({ length: 5_000 }, (_, at) => issue(`x:${at}`)).join('') + END;
    const { project, done } = await whileItWaits(leaving, file, () =>
      admin.delete(`/api/users/${leaving.id}`),
    );
    expect(done).toMatchObject({ state: 'failed', failure: expect.stringContaining('disabled') });
    const [made] = await service.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM issues WHERE project_id = $1',
      [project.id],
    );
    expect(made!.count).toBeLessThan(5_000);
  });

  it('keep their claim while another client holds a lock for longer than a statement waits', async () => {
    const claimOf = async (id: string) =>
      (
        await service.sql<{ claim: string; attempts: number; until: string }>(
          'SELECT claim, attempts, claimed_until::text AS until FROM imports WHERE id = $1',
          [id],
        )
      )[0]!;
    const { done } = await whileItWaits(admin, HEAD + issue('a') + END, async (_, id) => {
      const first = await claimOf(id);
      let last = first;
      // A statement waits for 3 seconds, and a claim is renewed every 4.
      for (const renewed of [1, 2]) {
        last = await until(async () => {
          const now = await claimOf(id);
          return now.until === last.until ? null : now;
        }, 30);
        expect([renewed, last.claim, last.attempts]).toEqual([renewed, first.claim, first.attempts]);
      }
    });
    expect(done).toMatchObject({ state: 'completed', created: 1, done: 1 });
  });

  it('hold their claim for its whole time from the end of a slow batch', async () => {
    await service.sql(`
      CREATE TABLE claims_seen (seconds float8);
      CREATE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NULL; END';
      CREATE FUNCTION see_claim() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
        INSERT INTO claims_seen VALUES (extract(epoch FROM NEW.claimed_until - clock_timestamp())); RETURN NULL; END';
      CREATE TRIGGER be_slow AFTER INSERT ON issues FOR EACH STATEMENT EXECUTE FUNCTION be_slow();
      CREATE TRIGGER see_claim AFTER UPDATE OF claimed_until ON imports FOR EACH ROW
        WHEN (NEW.claimed_until IS NOT NULL) EXECUTE FUNCTION see_claim()`);
    try {
      const done = await imported(admin, await aProject(admin), HEAD + issue('a') + END);
      expect(done).toMatchObject({ state: 'completed', created: 1 });
      const [seen] = await service.sql<{ least: number }>('SELECT min(seconds) AS least FROM claims_seen');
      expect(seen!.least).toBeGreaterThan(14);
    } finally {
      await service.sql(`
        DROP FUNCTION be_slow CASCADE;
        DROP FUNCTION see_claim CASCADE;
        DROP TABLE claims_seen`);
    }
  });
});
