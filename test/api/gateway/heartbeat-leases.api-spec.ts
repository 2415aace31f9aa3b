import { beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import {
  act,
  anIssueIn,
  expectSuccess,
  put,
  read,
  expectRefused,
  expectInvalidPaths,
} from '../work/issues/issue-requests.js';
import { sendHeartbeat, pickUp, putHeld, runOut, takeTurn, type Held } from './heartbeat-requests.js';

const MAX_ATTEMPTS = 3;
const service = useService({ settings: { MAX_ATTEMPTS: String(MAX_ATTEMPTS), LEASE_SECONDS: '60' } });
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

async function someWork(): Promise<{ agent: Caller; issue: Issue; held: Held }> {
  const agent = await asAgent(service);
  const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
  return { agent, issue, held: await pickUp(agent, issue) };
}

/** Returns the seconds until a lease runs out. */
async function secondsLeft(issue: { id: string }): Promise<number> {
  const [row] = await service.sql<{ left: number }>(
    'SELECT extract(epoch FROM expires_at - now())::float AS left FROM issue_leases WHERE issue_id = $1',
    [issue.id],
  );
  return row!.left;
}
const shorten = (issue: { id: string }) =>
  service.sql(`UPDATE issue_leases SET expires_at = now() + interval '9 seconds' WHERE issue_id = $1`, [
    issue.id,
  ]);

describe('the token of a lease', () => {
  it("is required in its agent's PUT while the lease lives, whatever the PUT changes", async () => {
    const { agent, issue, held } = await someWork();
    for (const fields of [{ title: 'New' }, { status: 'Resolved' }, { status: 'InProgress' }, {}]) {
      await expectRefused(put(agent, issue, fields), 409, 'lease_token_required');
      await expectRefused(putHeld(agent, { ...held, token: held.token - 1 }, fields), 409, 'lease_lost');
      await expectRefused(putHeld(agent, { ...held, token: held.token + 1 }, fields), 409, 'lease_lost');
    }
    expect((await putHeld(agent, held, { title: 'New' })).body.title).toBe('New');
    expect((await putHeld(agent, held, { status: 'Resolved' })).body).toMatchObject({
      status: 'Resolved',
      lease: null,
    });
  });

  it('is required from no other caller and for no other request', async () => {
    const { agent, issue } = await someWork();
    expect((await expectSuccess(put(editor, issue, { title: 'By a person' }))).title).toBe('By a person');
    expect(
      (await agent.post(`/api/projects/issues/${issue.id}/comments`, { content: 'Half done' })).status,
    ).toBe(201);
    expect(
      (
        await agent.post(`/api/projects/issues/${issue.id}/links`, {
          targetIssueId: (await anIssue(editor, project)).id,
          linkType: 'RelatedTo',
        })
      ).status,
    ).toBe(201);
    expect(await takeTurn(agent, { issueId: issue.id })).toMatchObject({ proceed: true, reason: null });
  });

  it('is not required when no lease lives', async () => {
    const agent = await asAgent(service);
    const issue = await anIssueIn(editor, project, 'InProgress', { assignedAgentId: agent.id });
    expect((await put(agent, issue, { status: 'PendingReview' })).status).toBe(200);
  });

  it.each(['x', '-1', '1.5', '', '1e3', '99999999999999999999'])(
    'returns 400 when it is not a whole number (%j)',
    async (token) => {
      const { agent, issue } = await someWork();
      await expectInvalidPaths(put(agent, issue, { title: 'x' }, { 'lease-token': token }), 'Lease-Token');
    },
  );

  it('grows with every lease of an issue, also across agents', async () => {
    const { issue, held } = await someWork();
    const tokens = [held.token];
    for (let round = 0; round < 3; round += 1) {
      const next = await asAgent(service);
      await expectSuccess(put(editor, issue, { assignedAgentId: next.id }));
      tokens.push((await pickUp(next, issue)).token);
    }
    expect(tokens).toEqual([1, 2, 3, 4]);
  });

  it('is rejected from a worker whose lease was taken over', async () => {
    const { agent, issue, held } = await someWork();
    await runOut(service, issue);
    const newer = await pickUp(agent, issue);
    expect(newer.token).toBeGreaterThan(held.token);
    await expectRefused(putHeld(agent, held, { status: 'Resolved' }), 409, 'lease_lost');
    expect(await takeTurn(agent, held)).toMatchObject({ proceed: false, reason: 'lease_lost' });
    expect((await sendHeartbeat(agent, { leases: [held] })).stop).toEqual([
      { issueId: issue.id, reason: 'lease_lost' },
    ]);
    expect((await putHeld(agent, newer, { status: 'Resolved' })).status).toBe(200);
  });
});

describe('a lease', () => {
  it('lasts LEASE_SECONDS from its last heartbeat, turn or change', async () => {
    const { agent, issue, held } = await someWork();
    const renewals = [
      () => sendHeartbeat(agent, { leases: [held] }),
      () => takeTurn(agent, held),
      () => putHeld(agent, held, { description: 'More' }),
    ];
    for (const renew of renewals) {
      await shorten(issue);
      await renew();
      const left = await secondsLeft(issue);
      expect(left).toBeGreaterThan(9);
      expect(left).toBeLessThanOrEqual(60);
    }
  });

  it('is not renewed by a heartbeat, turn or change without its token', async () => {
    const { agent, issue } = await someWork();
    await shorten(issue);
    await sendHeartbeat(agent);
    await takeTurn(agent, { issueId: issue.id });
    await put(agent, issue, { title: 'x' });
    await expectSuccess(put(editor, issue, { title: 'y' }));
    expect(await secondsLeft(issue)).toBeLessThanOrEqual(9);
  });

  it.each(['heartbeat', 'turn', 'PUT'])(
    'that ran out stays valid until another worker takes it over, and a %s renews it',
    async (how) => {
      const { agent, issue, held } = await someWork();
      await runOut(service, issue);
      expect((await read(editor, issue)).lease).toBe(null);
      if (how === 'heartbeat')
        expect((await sendHeartbeat(agent, { leases: [held] })).active).toMatchObject([
          { issueId: issue.id },
        ]);
      if (how === 'turn') expect(await takeTurn(agent, held)).toMatchObject({ proceed: true });
      if (how === 'PUT') expect((await putHeld(agent, held, { title: 'Late' })).status).toBe(200);
      expect((await read(editor, issue)).lease).toEqual({ expiresAt: expect.any(String) });
      expect(await read(editor, issue)).toMatchObject({ attempts: 0, status: 'InProgress' });
      expect((await sendHeartbeat(agent)).pickedUp).toEqual([]);
    },
  );

  const ENDS: Record<string, (issue: Issue, agent: Caller, held: Held) => Promise<unknown>> = {
    'a pause': (issue) => expectSuccess(act(editor, issue, 'pause')),
    'a close': (issue) => expectSuccess(act(editor, issue, 'close')),
    review: (issue) => expectSuccess(put(editor, issue, { status: 'PendingReview' })),
    'a link': async (issue) =>
      expectSuccess(
        editor.post(`/api/projects/issues/${issue.id}/links`, {
          targetIssueId: (await anIssue(editor, project)).id,
          linkType: 'BlockedBy',
        }),
      ),
    'its agent resolving it': (_issue, agent, held) =>
      expectSuccess(putHeld(agent, held, { status: 'Resolved' })),
    reassignment: async (issue) =>
      expectSuccess(put(editor, issue, { assignedAgentId: (await asAgent(service)).id })),
  };
  it.each(Object.keys(ENDS))('ends at once with %s and frees its slot', async (how) => {
    const { agent, issue, held } = await someWork();
    await ENDS[how]!(issue, agent, held);
    expect((await read(editor, issue)).lease).toBe(null);
    expect((await sendHeartbeat(agent)).agent.activeIssues).toBe(0);
    const late = await putHeld(agent, held, { title: 'Too late' });
    expect([403, 409]).toContain(late.status);
  });
});

describe('attempts', () => {
  it('count a lease that was taken over after running out, and put the issue in review at MAX_ATTEMPTS', async () => {
    const { agent, issue } = await someWork();
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      await runOut(service, issue);
      expect((await sendHeartbeat(agent)).pickedUp).toMatchObject([
        { issue: { id: issue.id, attempts: attempt, status: 'InProgress' } },
      ]);
    }
    await runOut(service, issue);
    expect((await sendHeartbeat(agent)).pickedUp).toEqual([]);
    expect(await read(editor, issue)).toMatchObject({
      status: 'PendingReview',
      attempts: MAX_ATTEMPTS,
      lease: null,
    });
  });

  it('count an issue that the agent gives back, and put the issue in review at MAX_ATTEMPTS', async () => {
    const { agent, issue, held } = await someWork();
    let holding = held;
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      expect((await putHeld(agent, holding, { status: 'Open' })).body).toMatchObject({
        status: 'Open',
        attempts: attempt,
      });
      await service.sql('UPDATE issues SET given_back_until = now() WHERE id = $1', [issue.id]);
      holding = await pickUp(agent, issue);
    }
    expect((await putHeld(agent, holding, { status: 'Open' })).body).toMatchObject({
      status: 'PendingReview',
      attempts: MAX_ATTEMPTS,
    });
  });

  it('that put an issue in review let the same heartbeat pick up the next one', async () => {
    const agent = await asAgent(service, { maxConcurrentIssues: 1 });
    const spent = await anIssue(editor, project, { assignedAgentId: agent.id, priority: 'urgent' });
    await pickUp(agent, spent);
    await service.sql('UPDATE issues SET attempts = $2 WHERE id = $1', [spent.id, MAX_ATTEMPTS - 1]);
    await runOut(service, spent);
    const next = await anIssue(editor, project, { assignedAgentId: agent.id });
    await pickUp(agent, next);
    expect((await read(editor, spent)).status).toBe('PendingReview');
  });

  it('hold an issue that was given back off its agent for 1 minute, doubled up to 1 hour, and off no other', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    for (const [attempts, minutes] of [
      [0, 1],
      [1, 2],
    ] as const) {
      await service.sql('UPDATE issues SET attempts = $2, given_back_until = now() WHERE id = $1', [
        issue.id,
        attempts,
      ]);
      await putHeld(agent, await pickUp(agent, issue), { status: 'Open' });
      const [row] = await service.sql<{ left: number }>(
        'SELECT extract(epoch FROM given_back_until - now())::float AS left FROM issues WHERE id = $1',
        [issue.id],
      );
      expect(row!.left).toBeGreaterThan(minutes * 60 - 30);
      expect(row!.left).toBeLessThanOrEqual(minutes * 60);
      expect((await sendHeartbeat(agent)).pickedUp).toEqual([]);
    }
    const other = await asAgent(service);
    await expectSuccess(put(editor, issue, { assignedAgentId: other.id }));
    await pickUp(other, issue);
  });

  it.each(['PendingReview', 'Resolved', 'Open'])(
    "are reset by a user's change of status to %s, which also ends the hold-off",
    async (status) => {
      const { agent, issue, held } = await someWork();
      await putHeld(agent, held, { status: 'Open' });
      await expectSuccess(put(editor, issue, { status: 'InProgress' }));
      expect(await read(editor, issue)).toMatchObject({ attempts: 0 });
      await service.sql('UPDATE issues SET attempts = 2 WHERE id = $1', [issue.id]);
      await expectSuccess(put(editor, issue, { status }));
      expect((await read(editor, issue)).attempts).toBe(0);
      if (status !== 'Open') await expectSuccess(put(editor, issue, { status: 'Open' }));
      await pickUp(agent, issue);
    },
  );

  it('do not count a pause and resume, a wait or a reassignment', async () => {
    const { issue } = await someWork();
    await expectSuccess(act(editor, issue, 'pause'));
    await expectSuccess(act(editor, issue, 'resume'));
    const blocker = await anIssue(editor, project);
    await expectSuccess(
      editor.post(`/api/projects/issues/${issue.id}/links`, {
        targetIssueId: blocker.id,
        linkType: 'BlockedBy',
      }),
    );
    await expectSuccess(put(editor, blocker, { status: 'Resolved' }));
    const other = await asAgent(service);
    await expectSuccess(put(editor, issue, { assignedAgentId: other.id }));
    expect((await sendHeartbeat(other)).pickedUp).toMatchObject([{ issue: { id: issue.id, attempts: 0 } }]);
  });
});

it('the time to the next heartbeat allows for one lost heartbeat', async () => {
  const { nextHeartbeatSeconds } = await sendHeartbeat(await asAgent(service));
  expect(nextHeartbeatSeconds * 2).toBeLessThan(60);
});
