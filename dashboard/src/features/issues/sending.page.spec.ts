import { beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../api/client';
import { Problem } from '../../api/problem';
import {
  inverseOf,
  type IssueChange,
  type Known,
  openBelow,
  reasonsOf,
  sendAsSeen,
  sendChange,
  sendSeveral,
} from './sending';

const put = vi.spyOn(api, 'PUT');
const get = vi.spyOn(api, 'GET');
const post = vi.spyOn(api, 'POST');

const issue = (id: string, more: object = {}) =>
  ({
    id,
    key: id.toUpperCase(),
    version: 3,
    status: 'Open',
    paused: false,
    priority: 'low',
    goalId: null,
    labels: [],
    assignedAgentId: 'juno',
    assigneeUserId: null,
    ...more,
  }) as unknown as Known;
const refusal = (status: number, code: string, detail = code, retryAfter: number | null = null) =>
  new Problem(status, code, detail, null, retryAfter);
const answer = (data: object) => Promise.resolve({ data } as never);
const changed = (version: number, more: object = {}) =>
  answer({ version, allowedTransitions: ['Open'], ...more });
const bodyOf = (call: unknown[] | undefined) => (call?.[1] as { body: object } | undefined)?.body;
const headersOf = (call: unknown[] | undefined) =>
  (call?.[1] as { params: { header: Record<string, string> } } | undefined)?.params.header['If-Match'];

beforeEach(() => {
  for (const one of [put, get, post]) one.mockReset();
});

const high = { kind: 'priority', priority: 'high' } as const;

const label = (id: string) => ({ id, name: id, color: 'red' }) as const;

describe('sendChange', () => {
  it('gives an issue labels beside those that it has by now, and takes others off', async () => {
    put.mockRejectedValueOnce(refusal(412, 'version_mismatch')).mockReturnValue(changed(5));
    get.mockReturnValue(answer(issue('a', { version: 4, labels: [label('new'), label('old')] })));
    const change = { kind: 'relabel', added: [label('added')], removed: [label('old')] } as const;
    await sendChange(issue('a', { labels: [label('old')] }), change);
    expect(bodyOf(put.mock.calls.at(-1))).toEqual({ labels: ['new', 'added'] });
  });

  it('closes an issue with all below it only as the person saw it', async () => {
    post.mockRejectedValue(refusal(412, 'version_mismatch'));
    await expect(sendChange(issue('a'), { kind: 'close-all' })).rejects.toMatchObject({ status: 412 });
    expect(post.mock.calls.map((call) => (call[1] as { params: object }).params)).toEqual([
      { path: { issueId: 'a' }, header: { 'If-Match': '"3"' }, query: { force: true } },
    ]);
  });

  it('sends the version that the person saw, and knows the one after it', async () => {
    put.mockReturnValue(changed(4));
    expect(await sendChange(issue('a'), high)).toMatchObject({ version: 4, before: { priority: 'low' } });
    expect(headersOf(put.mock.calls[0])).toBe('"3"');
    post.mockReturnValue(answer({}));
    expect((await sendChange(issue('b'), { kind: 'pause' })).version).toBe(4);
  });

  it('reads an issue that changed meanwhile again, so that it knows what it replaces', async () => {
    put.mockRejectedValueOnce(refusal(412, 'version_mismatch')).mockReturnValueOnce(changed(8));
    get.mockReturnValue(answer(issue('a', { version: 7, priority: 'urgent' })));
    expect(await sendChange(issue('a'), high)).toMatchObject({ version: 8, before: { priority: 'urgent' } });
    expect(put.mock.calls.map(headersOf)).toEqual(['"3"', '"7"']);
  });

  it('does not move an issue that changed meanwhile, nor takes a change of it back', async () => {
    put.mockRejectedValue(refusal(412, 'version_mismatch'));
    await expect(sendChange(issue('a'), { kind: 'status', to: 'Resolved' })).rejects.toThrow();
    await expect(sendAsSeen(issue('a'), high)).rejects.toThrow();
    expect(put).toHaveBeenCalledTimes(2);
  });
});

describe('sendSeveral', () => {
  const asked = (...ids: string[]) => ids.map((id) => ({ issue: issue(id), change: high }));

  it('goes on after a refusal, and names what was refused with the reason', async () => {
    put.mockImplementation(((_: string, { params }: { params: { path: { issueId: string } } }) =>
      params.path.issueId === 'b' ? Promise.reject(refusal(409, 'quota', 'Used up.')) : changed(4)) as never);
    const answers: number[] = [];
    const { done, refused } = await sendSeveral(asked('a', 'b', 'c'), sendChange, (count) =>
      answers.push(count),
    );
    expect(done.map(({ before }) => before.id).toSorted()).toEqual(['a', 'c']);
    expect(refused).toMatchObject([{ issue: { id: 'b' }, problem: { detail: 'Used up.' } }]);
    expect(answers).toEqual([1, 2, 3]);
  });

  it('waits as long as the service asks for, and sends again', async () => {
    vi.useFakeTimers();
    put.mockRejectedValueOnce(refusal(429, 'rate_limited', '', 30)).mockReturnValue(changed(4));
    const sent = sendSeveral(asked('a'));
    await vi.advanceTimersByTimeAsync(29_000);
    expect(put).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await sent).done).toHaveLength(1);
    vi.useRealTimers();
  });

  it('sends no more once it was stopped', async () => {
    const ending = new AbortController();
    put.mockImplementation((() => {
      ending.abort();
      return changed(4);
    }) as never);
    const ids = Array.from({ length: 40 }, (_, index) => `i${index}`);
    const { done } = await sendSeveral(asked(...ids), sendChange, undefined, ending.signal);
    expect(done.length).toBeLessThan(10);
  });
});

describe('inverseOf', () => {
  const done = (before: object, allowed: string[] | null = null) =>
    ({ before: issue('a', before), version: 4, allowed }) as Parameters<typeof inverseOf>[0];

  it('gives an issue back to those who had it, with its priority and goal', () => {
    const had = { assignedAgentId: 'ember', assigneeUserId: 'ada', goalId: 'goal', priority: 'urgent' };
    expect(inverseOf(done(had), { kind: 'assign', to: null })).toEqual({
      kind: 'reassign',
      assignedAgentId: 'ember',
      assigneeUserId: 'ada',
    });
    expect(inverseOf(done(had), high)).toEqual({ kind: 'priority', priority: 'urgent' });
    expect(inverseOf(done(had), { kind: 'goal', to: null })).toMatchObject({ to: { id: 'goal' } });
  });

  it('gives an issue back all labels that it had', () => {
    const labels = [{ id: 'l', name: 'bug', color: 'red' }];
    for (const change of [
      { kind: 'labels', labels: [] },
      { kind: 'relabel', added: [], removed: labels },
    ] as const)
      expect(inverseOf(done({ labels }), change as IssueChange)).toEqual({ kind: 'labels', labels });
  });

  it('puts an issue back below its parent, which does not wait for it where it did not', async () => {
    const before = { parentId: 'p', holdsParent: false };
    const inverse = inverseOf(done(before), { kind: 'parent', to: null })!;
    put.mockReturnValue(changed(5));
    await sendAsSeen(issue('a', { parentId: null, holdsParent: true }), inverse);
    expect(bodyOf(put.mock.calls[0])).toEqual(before);
  });

  it('leaves how an issue holds its parent to the service where a person chooses another one', async () => {
    put.mockReturnValue(changed(4));
    await sendChange(issue('a'), { kind: 'parent', to: { id: 'p', key: 'P' } });
    expect(bodyOf(put.mock.calls[0])).toEqual({ parentId: 'p' });
  });

  it('moves an issue back only where the service allows it', () => {
    const resolve = { kind: 'status', to: 'Resolved' } as const;
    expect(inverseOf(done({ status: 'Open' }, ['Open']), resolve)).toEqual({ kind: 'status', to: 'Open' });
    expect(inverseOf(done({ status: 'WaitingOnDependency' }, ['Open']), resolve)).toMatchObject({
      to: 'Open',
    });
    expect(inverseOf(done({ status: 'PendingReview' }, ['Open']), resolve)).toBeNull();
    expect(inverseOf(done({ status: 'Open', paused: true }, ['Open']), resolve)).toBeNull();
    const close = { kind: 'status', to: 'Closed' } as const;
    expect(inverseOf(done({ status: 'Open' }), close)).toMatchObject({ to: 'Open' });
    expect(inverseOf(done({ status: 'InProgress' }), close)).toBeNull();
  });

  it('resumes what was paused, and takes no blocker back', () => {
    expect(inverseOf(done({}), { kind: 'pause' })).toEqual({ kind: 'resume' });
    expect(inverseOf(done({}), { kind: 'block', by: { id: 'b', key: 'B' } })).toBeNull();
  });
});

it('openBelow counts the open issues below those that were not closed', () => {
  const refused = (count: number) => ({
    issue: issue('a'),
    problem: new Problem(409, 'open_children', 'x', null, null, [], {
      children: Array.from({ length: count }, () => ({})),
    }),
  });
  expect(openBelow([refused(2), refused(3), { ...refused(0), problem: refusal(409, 'x') }])).toBe(5);
});

describe('reasonsOf', () => {
  it('has each reason once, with the keys that it is about', () => {
    const refused = (id: string, detail: string) => ({
      issue: issue(id),
      problem: refusal(409, 'x', detail),
    });
    expect(reasonsOf([refused('a', 'Blocked.'), refused('b', 'Gone.'), refused('c', 'Blocked.')])).toBe(
      'A, C: Blocked.\nB: Gone.',
    );
    const many = Array.from({ length: 7 }, (_, index) => refused(`i${index}`, 'Blocked.'));
    expect(reasonsOf(many)).toBe('I0, I1, I2, I3, I4 and 2 more: Blocked.');
  });
});
