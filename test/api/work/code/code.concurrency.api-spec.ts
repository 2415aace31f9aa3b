import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asEditor } from '../../../support/callers.js';
import {
  aCodeHook,
  aPullRequest,
  aStatus,
  type CodeHook,
  deliver,
  someSha,
} from '../../../support/code-deliveries.js';
import { OneConnection } from '../../../support/database-of.js';
import { type Service, startService } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { readGate, readIssue, withdraw } from '../gates/gate-requests.js';
import { expectInvariants } from '../issues/invariants.js';
import { awaitChecks, linkCode, listCode, pullUrl } from './code-requests.js';

const ROUNDS = process.env['TEST_SIZE'] === 'full' ? 30 : 2;

let first: Service;
let second: Service;
let here: Caller;
let there: Caller;
let project: Project;
let hook: CodeHook;
beforeAll(async () => {
  first = await startService();
  second = await first.second();
  here = await asEditor(first);
  there = here.at(second);
  project = await aProject(here);
  hook = await aCodeHook(first.owner, project);
});
afterAll(async () => {
  await second?.stop();
  await first?.stop();
});

let pulls = 0;
async function inRounds(round: (number: number, sha: string) => Promise<void>): Promise<void> {
  for (let count = 0; count < ROUNDS; count += 1)
    await Promise.all(Array.from({ length: 4 }, () => round((pulls += 1), someSha())));
  await expectInvariants(first);
}

it('a pull request and the checks of its commit in two deliveries at once miss neither', async () => {
  await inRounds(async (number, sha) => {
    const issue = await anIssue(here, project);
    const gate = await awaitChecks(here, issue);
    await Promise.all([
      deliver(first, hook, 'pull_request', aPullRequest({ number, sha, branch: issue.key })),
      deliver(second, hook, 'status', aStatus(sha, 'success')),
    ]);
    expect(await listCode(here, issue)).toMatchObject([{ checks: 'passing' }]);
    expect(await readGate(here, gate)).toMatchObject({ state: 'answered', outcome: 'passed' });
    expect((await readIssue(here, issue)).status).toBe('Open');
  });
}, 600_000);

it('checks that end while a gate is opened end the gate, whichever comes first', async () => {
  await inRounds(async (number, sha) => {
    const issue = await anIssue(here, project);
    await deliver(first, hook, 'pull_request', aPullRequest({ number, sha, branch: issue.key }));
    const [gate] = await Promise.all([
      awaitChecks(there, issue),
      deliver(first, hook, 'status', aStatus(sha, 'failure')),
    ]);
    expect(await readGate(here, gate)).toMatchObject({ state: 'answered', outcome: 'failed' });
    expect((await readIssue(here, issue)).status).toBe('Open');
  });
}, 600_000);

it('a link by a person while its code host reports has what was reported', async () => {
  await inRounds(async (number, sha) => {
    const [one, other] = [await anIssue(here, project), await anIssue(here, project)];
    const gate = await awaitChecks(here, other);
    await deliver(first, hook, 'status', aStatus(sha, 'success'));
    await Promise.all([
      linkCode(there, other, pullUrl(number)),
      deliver(first, hook, 'pull_request', aPullRequest({ number, sha, branch: one.key, title: 'Fix' })),
    ]);
    for (const issue of [one, other])
      expect(await listCode(here, issue)).toMatchObject([{ title: 'Fix', checks: 'passing' }]);
    expect(await readGate(here, gate)).toMatchObject({ state: 'answered', outcome: 'passed' });
  });
}, 600_000);

it('a delivery begins again with the issue to which a person links its pull request meanwhile', async () => {
  const [number, sha] = [(pulls += 1), someSha()];
  const [one, other] = [await anIssue(here, project), await anIssue(here, project)];
  await deliver(first, hook, 'pull_request', aPullRequest({ number, sha, branch: one.key }));
  const holders = await Promise.all([1, 2].map(() => OneConnection.open(first.databaseUrl)));
  const [ofOne, ofOther] = holders as [OneConnection, OneConnection];
  const isAwaited = async (holder: OneConnection) => {
    const [own] = await holder.rows<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const waiting = 'SELECT 1 FROM pg_stat_activity WHERE $1::int = ANY(pg_blocking_pids(pid))';
    return (await first.sql(waiting, [own!.pid])).length > 0;
  };
  const hold = async (holder: OneConnection, { id }: Issue) => {
    await holder.rows('BEGIN');
    await holder.rows('SELECT 1 FROM issues WHERE id = $1 FOR UPDATE', [id]);
  };
  try {
    await hold(ofOne, one);
    const delivered = deliver(first, hook, 'status', aStatus(sha, 'success'));
    await until(() => isAwaited(ofOne));
    await linkCode(here, other, pullUrl(number));
    await hold(ofOther, other);
    await ofOne.rows('COMMIT');
    const came = await Promise.race([
      delivered.then(() => 'an answer'),
      until(() => isAwaited(ofOther)).then(() => 'its turn at the other issue'),
    ]);
    expect(came).toBe('its turn at the other issue');
    await ofOther.rows('COMMIT');
    expect((await delivered).status).toBe(200);
    for (const issue of [one, other])
      expect(await listCode(here, issue)).toMatchObject([{ checks: 'passing' }]);
  } finally {
    await Promise.all(holders.map((holder) => holder.end()));
  }
});

it('the same delivery twice at once is applied once', async () => {
  await inRounds(async (number, sha) => {
    const issue = await anIssue(here, project);
    const id = `delivery ${number}`;
    const payload = aPullRequest({ number, sha, branch: issue.key });
    const answers = await Promise.all(
      [first, second].map((service) => deliver(service, hook, 'pull_request', payload, { id })),
    );
    expect(answers.map(({ body }) => String(body['outcome'])).toSorted()).toEqual(['accepted', 'replayed']);
    expect(await listCode(here, issue)).toHaveLength(1);
  });
}, 600_000);

it('of the end of checks and a withdrawal exactly one closes a gate', async () => {
  await inRounds(async (number, sha) => {
    const issue = await anIssue(here, project);
    await deliver(first, hook, 'pull_request', aPullRequest({ number, sha, branch: issue.key }));
    const gate = await awaitChecks(here, issue);
    const [withdrawn, delivered] = await Promise.all([
      withdraw(there, gate),
      deliver(first, hook, 'status', aStatus(sha, 'success')),
    ]);
    expect(delivered.status).toBe(200);
    const { state } = await readGate(here, gate);
    expect([withdrawn.status, state]).toEqual(
      withdrawn.status === 200 ? [200, 'withdrawn'] : [409, 'answered'],
    );
    expect((await readIssue(here, issue)).status).toBe('Open');
  });
}, 600_000);

it('deliveries are kept for 7 days, and for 90 what no issue has', async () => {
  const issue = await anIssue(here, project);
  const [kept, gone, sha] = [(pulls += 1), (pulls += 1), someSha()];
  await deliver(first, hook, 'pull_request', aPullRequest({ number: kept, sha, branch: issue.key }));
  await deliver(first, hook, 'pull_request', aPullRequest({ number: gone }));
  for (const commit of [sha, someSha()]) await deliver(first, hook, 'status', aStatus(commit, 'success'));
  const old = (table: string, column: string, days: number) =>
    first.sql(`UPDATE ${table} SET ${column} = now() - make_interval(days => ${days})`);
  await old('code_items', 'updated_at', 91);
  await old('code_checks', 'received_at', 91);
  await old('code_deliveries', 'received_at', 8);
  await first.sql(`DELETE FROM chores WHERE name = 'old code deliveries'`);
  const third = await first.second();
  try {
    const left = await until(async () => {
      const [row] = await first.sql<{ items: string; checks: string; deliveries: string }>(
        `SELECT (SELECT count(*) FROM code_items) AS items, (SELECT count(*) FROM code_checks) AS checks,
                (SELECT count(*) FROM code_deliveries) AS deliveries`,
      );
      return row!.deliveries === '0' ? row : null;
    });
    const [linked] = await first.sql<{ items: string }>(
      'SELECT count(DISTINCT item_id) AS items FROM code_links',
    );
    expect(left).toMatchObject({ items: linked!.items, deliveries: '0' });
    expect(await listCode(here, issue)).toMatchObject([{ checks: 'passing' }]);
  } finally {
    await third.stop();
  }
}, 60_000);
