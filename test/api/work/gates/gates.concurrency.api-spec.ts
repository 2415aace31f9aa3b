import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anIssue, aProject, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asEditor } from '../../../support/callers.js';
import { startService, type Service } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { expectInvariants } from '../issues/invariants.js';
import { answer, aQuestion, gatePath, makeDue, readGate, readIssue, withdraw } from './gate-requests.js';

const ROUNDS = process.env['TEST_SIZE'] === 'full' ? 2_000 : 10;

let first: Service;
let second: Service;
let here: Caller;
let there: Caller;
let project: Project;
beforeAll(async () => {
  first = await startService();
  second = await first.second();
  here = await asEditor(first);
  there = here.at(second);
  project = await aProject(here);
});
afterAll(async () => {
  await second?.stop();
  await first?.stop();
});

async function inRounds(round: () => Promise<void>): Promise<void> {
  for (let count = 0; count < ROUNDS; count += 5) await Promise.all(Array.from({ length: 5 }, () => round()));
  await expectInvariants(first);
}

async function journalOf(gate: { id: string }): Promise<string[]> {
  const rows = await first.sql<{ type: string }>(
    `SELECT type FROM journal WHERE subject_id = $1 ORDER BY position`,
    [gate.id],
  );
  return rows.map(({ type }) => type);
}

it('of two answers in two processes exactly one wins, and the other learns of it', async () => {
  await inRounds(async () => {
    const issue = await anIssue(here, project);
    const gate = await aQuestion(here, issue);
    const answers = await Promise.all([
      answer(here, gate, { text: 'here' }),
      answer(there, gate, { text: 'there' }),
    ]);
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
    expect([won!.status, lost!.status]).toEqual([200, 409]);
    expect(lost!.body).toMatchObject({ code: 'gate_closed', state: 'answered' });
    expect((await readGate(here, gate)).answer).toEqual(won!.body.answer);
    expect(await journalOf(gate)).toEqual(['gate.opened', 'gate.answered']);
    expect((await readIssue(here, issue)).status).toBe('Open');
  });
}, 600_000);

it('of an answer, a withdrawal and the end of its time exactly one closes a gate', async () => {
  await inRounds(async () => {
    const issue = await anIssue(here, project);
    const gate = await aQuestion(here, issue);
    const [, answered, withdrawn] = await Promise.all([
      makeDue(first, gate),
      answer(here, gate),
      withdraw(there, gate),
    ]);
    const { state } = await until(async () => {
      const present = await readGate(here, gate);
      return present.state === 'open' ? null : present;
    });
    const wins = [answered.status === 200, withdrawn.status === 200];
    expect(wins).toEqual([state === 'answered', state === 'withdrawn']);
    expect(await journalOf(gate)).toEqual(['gate.opened', `gate.${state}`]);
    expect((await readIssue(here, issue)).status).toBe('Open');
  });
}, 600_000);

it('an answer against the deletion of the issue leaves nothing half done', async () => {
  await inRounds(async () => {
    const issue = await anIssue(here, project);
    const gate = await aQuestion(here, issue);
    const [answered, deleted] = await Promise.all([
      answer(here, gate),
      there.delete(`/api/projects/issues/${issue.id}?confirm=true`),
    ]);
    expect(deleted.status).toBe(204);
    expect([200, 404]).toContain(answered.status);
    expect((await here.get(gatePath(gate))).status).toBe(404);
    // An answer may be given and its gate be deleted before the response is read, which is 404 then.
    const [, end, ...more] = await journalOf(gate);
    expect(['gate.answered', 'gate.withdrawn']).toContain(end);
    if (answered.status === 200) expect(end).toBe('gate.answered');
    expect(more).toEqual([]);
  });
}, 600_000);
