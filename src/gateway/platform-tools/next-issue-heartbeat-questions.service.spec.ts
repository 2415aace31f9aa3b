import { expect, it } from '@jest/globals';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import type { Heartbeat } from '../heartbeat/heartbeat.service.js';
import { RESULT_CHARACTERS } from './result-pages.service.js';
import { MOST_PICKED_UP } from '../agent-tools/work-tools.js';
import { heartbeatResult } from './next-issue-heartbeat-questions.service.js';

const agent = { type: 'agent', id: 'a', lease: null } as unknown as AgentPrincipal;
const expiresAt = new Date('2026-11-25T08:00:00.000Z');
const issueOf = (n: number, description: string) => ({
  id: `0199f0a0-7b1c-7c3e-9d55-${String(n).padStart(12, '0')}`,
  key: `A-${n}`,
  title: 'T'.repeat(500),
  description,
  links: [],
  status: 'InProgress',
  priority: 0,
});
const commentOf = (content: string) => ({
  id: 'c',
  issueId: 'i',
  content,
  authorType: 'User',
  createdAt: expiresAt,
});
const beatOf = (pickedUp: unknown[], active: unknown[] = []) =>
  ({ pickedUp, active, stop: [], nextHeartbeatSeconds: 30 }) as unknown as Heartbeat;

interface Result {
  pickedUp: { key: string; lease: object; more: boolean; issue: { description: string } }[];
  active: { more: boolean; newComments: { content: string }[] }[];
}
const laidOut = (beat: Heartbeat) => {
  const result = heartbeatResult(agent, beat) as Result;
  expect(JSON.stringify(result).length).toBeLessThanOrEqual(RESULT_CHARACTERS);
  return result;
};

it('shows all tokens and a part of each description, however long they are', () => {
  const many = Array.from({ length: MOST_PICKED_UP }, (_, n) => ({
    issue: issueOf(n, '"'.repeat(60_000)),
    token: n,
    expiresAt,
    answers: [],
  }));
  const { pickedUp } = laidOut(beatOf(many));
  expect(pickedUp).toHaveLength(MOST_PICKED_UP);
  for (const [n, item] of pickedUp.entries()) {
    expect(Object.keys(item).slice(0, 3)).toEqual(['key', 'id', 'lease']);
    expect(item).toMatchObject({ lease: { token: n }, more: true });
    expect(item.issue.description.length).toBeGreaterThan(50);
  }
});

it('shows everything where it fits', () => {
  const item = { issue: issueOf(1, 'Deep.'), token: 1, expiresAt, answers: [] };
  const lease = {
    issueId: 'A-2',
    expiresAt,
    newComments: [commentOf('one'), commentOf('two')],
    changed: [],
    answers: [],
  };
  expect(laidOut(beatOf([item], [lease]))).toMatchObject({
    pickedUp: [{ more: false, issue: { description: 'Deep.' } }],
    active: [{ more: false, newComments: [{ content: 'one' }, { content: 'two' }] }],
  });
});

it('shows the newest comments', () => {
  const newComments = Array.from({ length: 60 }, (_, n) => commentOf(`${n} ${'c'.repeat(2_000)}`));
  const { active } = laidOut(
    beatOf([], [{ issueId: 'A-2', expiresAt, newComments, changed: [], answers: [] }]),
  );
  expect(active[0]!.more).toBe(true);
  expect(active[0]!.newComments.at(-1)!.content).toMatch(/^59 /);
});
