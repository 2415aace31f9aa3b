import { asSentence, haltSentence } from '../../agents/agent-failures-over-budget-and-why.service.js';
import type { Role } from '../../platform/authentication/principals-and-roles.js';
import type { AgentFacts, IssueFacts, Party, RootBlocker } from './issue-facts.js';

/** Returns who has to act on an issue at the end of a chain: a finished or paused piece of work waits for a person. */
export function actorOf({ status, paused, assignee, person }: RootBlocker): Party | null {
  if (status === 'WaitingOnDependency') return null;
  return status === 'PendingReview' || paused ? person : assignee;
}

export function firstOf(parties: (Party | null)[]): Party | null {
  return parties.find((one) => one !== null) ?? null;
}

/** Names a root blocker with who acts on it, or with what it needs where that is no one. */
export function rootInWords(root: RootBlocker): string {
  const { key, status, paused } = root;
  const actor = actorOf(root)?.name;
  if (status === 'WaitingOnDependency') return `${key} (waits for a decision)`;
  if (status === 'PendingReview') return `${key} (in review by ${actor ?? 'a person'})`;
  if (paused) return `${key} (paused${actor ? `, ${actor} may resume it` : ''})`;
  return `${key} (${actor ?? 'unassigned'})`;
}

/** The least role that may do what a reason asks of people; an agent has to act where a reason is not named. */
const NEEDS: Partial<Record<string, Role>> = {
  paused: 'Editor',
  in_review: 'Editor',
  unassigned: 'Editor',
  assigned_to_user: 'Editor',
  agent_retired: 'Editor',
  agent_disabled: 'Editor',
  agent_cannot_see_project: 'Editor',
  agent_failing: 'Editor',
  halted: 'Admin',
  budget: 'Admin',
};

/** Returns the least role that may act, or null where no person has to, and the gate whose answer ends the wait. */
export function neededOf(
  reason: string,
  facts: IssueFacts,
): { needsRole: Role | null; gateId: string | null } {
  const { gates, budget, rootBlockers } = facts;
  if (reason === 'budget') return { needsRole: 'Admin', gateId: budget!.gateId };
  if (reason !== 'waiting') return { needsRole: NEEDS[reason] ?? null, gateId: null };
  const gate = gates.find(({ kind }) => kind !== 'checks');
  if (gate) return { needsRole: gate.needsRole, gateId: gate.id };
  const forPeople = rootBlockers.some(
    ({ status, paused, assignee }) =>
      paused || status === 'PendingReview' || status === 'WaitingOnDependency' || assignee?.type !== 'agent',
  );
  return { needsRole: forPeople ? 'Editor' : null, gateId: null };
}

/** One reason why no agent works on an issue, or that one does. */
export interface Explanation {
  reason: string;
  fits: (facts: IssueFacts) => boolean;
  /** Who must act; null when anyone may, or no one needs to. */
  waitsFor: (facts: IssueFacts) => Party | null;
  /** What happens next, or what a person has to do for it, in sentences. */
  next: (facts: IssueFacts) => string;
}

const person = (facts: IssueFacts) => facts.person;
const noActor = () => null;
const agentOf = ({ agent }: IssueFacts): AgentFacts => agent!;
const agent = (facts: IssueFacts): Party => party(agentOf(facts));
const nameOf = (facts: IssueFacts) => agentOf(facts).name;
const at = (time: Date) => time.toISOString();

/** All reasons in order: the first that fits is the explanation, and the last one always fits. */
export const explanations = [
  {
    reason: 'closed',
    fits: ({ status }) => status === 'Closed',
    waitsFor: noActor,
    next: () => 'The issue is closed. Set its status to Open to work on it again.',
  },
  {
    reason: 'resolved',
    fits: ({ status }) => status === 'Resolved',
    waitsFor: noActor,
    next: () => 'The work is done. Close the issue, or set its status to Open if something is missing.',
  },
  {
    reason: 'waiting',
    fits: ({ status }) => status === 'WaitingOnDependency',
    waitsFor: ({ rootBlockers }) => firstOf(rootBlockers.map(actorOf)),
    next: sayWhatHoldsItUp,
  },
  {
    reason: 'running',
    fits: ({ lease }) => lease?.live === true,
    waitsFor: agent,
    next: sayHowItGoesOn,
  },
  {
    reason: 'paused',
    fits: ({ paused }) => paused,
    waitsFor: person,
    next: ({ agent: has }) =>
      `Someone paused it. Resume it, and ${has ? `${has.name} picks it up on its next heartbeat` : 'it is in progress again'}.`,
  },
  {
    reason: 'in_review',
    fits: ({ status }) => status === 'PendingReview',
    waitsFor: person,
    next: ({ person: reviewer, attempts }) =>
      `${attempts > 0 ? `It came to nothing ${attempts === 1 ? 'once' : `${attempts} times`}. ` : ''}${reviewer?.name ?? 'A person'} has to look at it ` +
      'and set its status to Resolved, or to InProgress or Open if changes are wanted.',
  },
  {
    reason: 'unassigned',
    fits: ({ agent: has, person: answers }) => !has && !answers,
    waitsFor: noActor,
    next: () =>
      'The issue has no assignee. Assign it to an agent, which picks it up on its next heartbeat, or to a person.',
  },
  {
    reason: 'assigned_to_user',
    fits: ({ agent: has }) => !has,
    waitsFor: person,
    next: ({ person: answers }) => `${answers!.name} has to work on it, or assign it to an agent.`,
  },
  {
    reason: 'agent_retired',
    fits: (facts) => agentOf(facts).retired,
    waitsFor: person,
    next: (facts) =>
      `${nameOf(facts)} was retired and takes no more work. Assign the issue to another agent.`,
  },
  {
    reason: 'agent_disabled',
    fits: (facts) => agentOf(facts).disabled,
    waitsFor: person,
    next: (facts) =>
      `${nameOf(facts)} is disabled. An Admin has to enable it, or someone to assign the issue to another agent.`,
  },
  {
    reason: 'agent_cannot_see_project',
    fits: (facts) => !agentOf(facts).seesProject,
    waitsFor: person,
    next: (facts) =>
      `${nameOf(facts)} is not a member of this members-only project. Make it a member, or assign the issue to another agent.`,
  },
  {
    reason: 'halted',
    fits: ({ halted }) => halted,
    waitsFor: noActor,
    next: ({ haltReason }) => haltSentence(haltReason),
  },
  {
    reason: 'budget',
    fits: ({ budget }) => budget !== null,
    waitsFor: noActor,
    next: sayWhatEndsTheStop,
  },
  {
    reason: 'agent_failing',
    fits: (facts) => agentOf(facts).failure !== null,
    waitsFor: person,
    next: (facts) =>
      `${nameOf(facts)} takes no more work. Its worker reports: ${asSentence(agentOf(facts).failure!)} Correct that and start the worker again, or assign the issue to another agent.`,
  },
  {
    reason: 'released',
    fits: ({ status, heldOffUntil, releases }) => status === 'Open' && heldOffUntil !== null && releases > 0,
    waitsFor: agent,
    next: (facts) =>
      `${nameOf(facts)} released it${facts.releases > 1 ? `, ${facts.releases} times in a row,` : ''} and gets it again after ${at(facts.heldOffUntil!)}, or as soon as a person changes it, comments or adds a file.`,
  },
  {
    reason: 'given_back',
    fits: ({ status, heldOffUntil }) => status === 'Open' && heldOffUntil !== null,
    waitsFor: agent,
    next: (facts) =>
      `${nameOf(facts)} gave it back and gets it again after ${at(facts.heldOffUntil!)}, unless another agent gets it.`,
  },
  {
    reason: 'lease_ran_out',
    fits: ({ lease }) => lease !== null,
    waitsFor: agent,
    next: (facts) =>
      `The lease ran out at ${at(facts.lease!.expiresAt)} and was not renewed. ${nameOf(facts)} takes the issue up again on its next heartbeat.`,
  },
  {
    reason: 'agent_never_seen',
    fits: (facts) => agentOf(facts).lastHeartbeatAt === null,
    waitsFor: agent,
    next: (facts) =>
      `${nameOf(facts)} has never sent a heartbeat. Start it; it picks the issue up with its first one.`,
  },
  {
    reason: 'agent_silent',
    fits: (facts) => agentOf(facts).silent,
    waitsFor: agent,
    next: (facts) =>
      `${nameOf(facts)} has sent no heartbeat since ${at(agentOf(facts).lastHeartbeatAt!)}. Check that it runs; it picks the issue up with its next one.`,
  },
  {
    reason: 'agent_full',
    fits: (facts) => agentOf(facts).activeIssues >= agentOf(facts).maxConcurrentIssues,
    waitsFor: agent,
    next: (facts) =>
      `${nameOf(facts)} works on ${agentOf(facts).maxConcurrentIssues} issues, as many as it may at a time. It picks this one up when one of them is finished.`,
  },
  {
    reason: 'ready',
    fits: () => true,
    waitsFor: agent,
    next: (facts) =>
      `${nameOf(facts)} picks it up on its next heartbeat, the most urgent and then the oldest first.`,
  },
] as const satisfies readonly Explanation[];

export type Reason = (typeof explanations)[number]['reason'];

function sayWhatHoldsItUp(facts: IssueFacts): string {
  const { gates, blockedBy, moreBlockers, rootBlockers, paused, handedIn } = facts;
  const checks = gates.filter(({ kind }) => kind === 'checks');
  const decisions = gates.filter(({ kind }) => kind !== 'checks');
  const keys = `${blockedBy.map(({ key }) => key).join(', ')}${moreBlockers ? ' and more' : ''}`;
  const isOpen = paused
    ? 'it is Open but still paused, and has to be resumed'
    : 'it becomes Open automatically';
  const after = handedIn ? 'its finished work goes to a review (PendingReview)' : isOpen;
  return [
    ...(decisions.length > 0
      ? [asSentence(`It waits for a person: ${decisions.map(({ title }) => title).join('; ')}`)]
      : []),
    ...(checks.length > 0
      ? [asSentence(`It waits until ${checks.map(({ title }) => lowered(title)).join(', and ')}`)]
      : []),
    ...(blockedBy.length > 0
      ? [`It waits for ${keys}; once they are Resolved or Closed, ${after}.`]
      : [`${decisions.length > 0 ? 'Once a person has answered,' : 'Then'} ${after}.`]),
    ...(rootBlockers.length > 0
      ? [`What can be worked on for that now: ${rootBlockers.map(rootInWords).join(', ')}.`]
      : []),
  ].join(' ');
}

function lowered(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1);
}

const UNTIL = {
  day: 'until the day ends (UTC)',
  month: 'until the month ends (UTC)',
  total: 'until the limit is raised',
} as const;

function sayWhatEndsTheStop(facts: IssueFacts): string {
  const { scope, period, gateId } = facts.budget!;
  const whose = scope === 'agent' ? nameOf(facts) : 'the project';
  const who = gateId !== null ? 'An Admin has to answer its gate' : 'An Admin has to raise the limit';
  return `The budget of ${whose} is used up, so that no agent gets the issue ${UNTIL[period]}. ${who} if it is to go on before that.`;
}

function sayHowItGoesOn(facts: IssueFacts): string {
  const { halted, lease } = facts;
  if (halted || agentOf(facts).disabled)
    return `${nameOf(facts)} works on it, and must stop at its next turn: ${halted ? 'all agents are halted' : 'it is disabled'}.`;
  return `${nameOf(facts)} works on it; the lease lasts at least until ${at(lease!.expiresAt)}. The agent then sets the issue to PendingReview or Resolved, or gives it back.`;
}

function party({ type, id, name }: Party): Party {
  return { type, id, name };
}
