import { describe, expect, it } from '@jest/globals';
import {
  agentReasons,
  type AgentStanding,
  agentWhyOf,
} from './agent-failures-over-budget-and-why.service.js';

/** Everything holds at once. */
const all: AgentStanding = {
  disabled: true,
  halt: { halted: true, reason: 'rotating keys' },
  budget: { period: 'day', asked: true },
  failing: { worker: 'host-bot', reason: 'git ended with code 128', since: '2026-11-22T09:20:00Z' },
  lastHeartbeatAt: null,
  silent: true,
  activeIssues: 3,
  maxConcurrentIssues: 3,
};
/** What takes away each reason, so that the next one is seen. */
const ends: Partial<AgentStanding>[] = [
  { disabled: false },
  { halt: { halted: false, reason: null } },
  { budget: null },
  { failing: null },
  { lastHeartbeatAt: new Date() },
  { silent: false },
  { activeIssues: 1 },
  { activeIssues: 0 },
];

describe('how an agent is', () => {
  it('is the first reason that holds, in this order', () => {
    const seen = [agentWhyOf(all)];
    let standing = all;
    for (const end of ends) seen.push(agentWhyOf((standing = { ...standing, ...end })));
    expect(seen.map(({ reason }) => reason)).toEqual([...agentReasons]);
  });

  it('is said in a sentence with what has to be done', () => {
    const said = (part: Partial<AgentStanding>) =>
      agentWhyOf(Object.assign({}, all, ...ends, part) as AgentStanding).sentence;
    expect(said({ halt: all.halt })).toBe(
      'All agents are halted: rotating keys. An Admin has to end the halt.',
    );
    expect(said({ budget: all.budget })).toMatch(/used up.*until the day ends \(UTC\).*answer its gate/);
    expect(said({ budget: { period: 'total', asked: false } })).toMatch(/raise the limit/);
    expect(said({ failing: all.failing })).toMatch(
      /git ended with code 128\. Correct that, .* host-bot again\.$/,
    );
    expect(said({ activeIssues: 3 })).toMatch(/3 of 3/);
  });
});
