import { expect } from '@jest/globals';
import type { Issue } from '../../../../support/builders.js';
import type { Agent } from './steps.js';
import { type ModelIssue, type TrackerModel, unresolved } from './tracker-model.js';

/** Maps the model's numbers to the ids of the service. */
export interface Names {
  numberOf: (issueId: string) => number;
  agentId: (agent: Agent | null) => string | null;
}

/** Expects that the issues of a project, oldest first, have the statuses and links of the model. */
export function expectSameGraph(issues: Issue[], model: TrackerModel, names: Names): void {
  const alive = model.issues.filter(({ deleted }) => !deleted);
  expect(issues.map((issue) => asAnswered(issue, names))).toEqual(
    alive.map((issue) => asInModel(issue, model, names)),
  );
  for (const [at, { version }] of issues.entries()) {
    const { changes } = alive[at]!;
    expect(version).toBeGreaterThanOrEqual(1 + changes);
    if (changes === 0) expect(version).toBe(1);
  }
}

function asAnswered(
  { id, status, paused, attempts, assignedAgentId, lease, links, parentId, holdsParent, children }: Issue,
  { numberOf }: Names,
): unknown {
  const described = links.map((link) => `${link.linkType} ${link.direction} ${numberOf(link.targetIssueId)}`);
  return {
    number: numberOf(id),
    status,
    paused,
    attempts,
    assignedAgentId,
    leased: lease !== null,
    links: described.toSorted(),
    parent: parentId && numberOf(parentId),
    holds: holdsParent,
    children,
  };
}

function asInModel(issue: ModelIssue, model: TrackerModel, { agentId }: Names): unknown {
  const { liveLinks } = model;
  const { number, status, paused, attempts, agent, lease } = issue;
  const out = liveLinks
    .filter(({ from }) => from === issue)
    .map(({ type, to }) => `${type} outgoing ${to.number}`);
  const inward = liveLinks.filter(({ to }) => to === issue);
  const into = inward.map(
    ({ type, from }) => `${type === 'Blocks' ? 'BlockedBy' : type} incoming ${from.number}`,
  );
  const links = [...out, ...into].toSorted();
  const below = model.childrenOf(issue);
  return {
    number,
    status,
    paused,
    attempts,
    assignedAgentId: agentId(agent),
    leased: lease !== null,
    links,
    parent: issue.parent && issue.parent.number,
    holds: issue.holds,
    children: { total: below.length, resolved: below.filter((child) => !unresolved(child)).length },
  };
}
