import { asSentence } from '../../agents/agent-failures-over-budget-and-why.service.js';
import { rankOf, type Role, type UserPrincipal } from '../../platform/authentication/principals-and-roles.js';
import {
  amountInWords,
  nearestLimit,
  raisedLimits,
  shareOf,
} from '../../work/budgets/budget-limits-and-amounts.js';
import type { AttentionKind } from './attention-kinds.js';
import type { CauseRow } from './attention.service.js';

interface Text {
  title: string;
  detail: string;
}

/** What an item says: what it is, and what to do about it (contract §8.7). */
const TEXTS: Record<AttentionKind, (cause: CauseRow) => Text> = {
  gate: ({ gate }) => ({
    title: gate!.title,
    detail: gate!.detail ?? 'An agent waits for a person.',
  }),
  review: ({ issue }) => ({
    title: `${issue!.key} waits for a review: ${issue!.title}`,
    detail: 'Look at the work, then resolve the issue or send it back.',
  }),
  exhausted: ({ issue }) => ({
    title: `${issue!.key} failed ${issue!.attempts} times: ${issue!.title}`,
    detail: 'Find out why, change the issue or its agent, then open it again.',
  }),
  stuck: (cause) => ({
    title: `Others wait for ${cause.issue!.key}: ${cause.issue!.title}`,
    detail: whyStuck(cause),
  }),
  released: ({ issue, agent }) => ({
    title: `${agent!.name} released ${issue!.key} ${issue!.releases} times in a row: ${issue!.title}`,
    detail: `${issue!.releaseReason === null ? 'It gave no reason.' : `Its last reason: ${asSentence(issue!.releaseReason)}`} Answer in a comment, change the issue, or assign it to another agent.`,
  }),
  server_error: ({ server }) => ({
    title: `${server!.name} does not work`,
    detail: server!.reason ?? 'Its last verification failed. Verify it again.',
  }),
  tools_changed: ({ server }) => ({
    title: `${server!.name} has tools to approve`,
    detail: `${server!.waiting === 1 ? '1 new or changed tool is' : `${server!.waiting} new or changed tools are`} withheld from agents. Compare the texts, then approve them.`,
  }),
  agent_failing: ({ agent }) => ({
    title: `${agent!.name} takes no more work`,
    detail: `${asSentence(agent!.failure!)} Correct that, then start its worker ${agent!.failingWorker} again.`,
  }),
  agent_silent: ({ agent }) => ({
    title: `${agent!.name} is silent`,
    detail: 'It holds issues and has sent no heartbeat for three intervals. Check that it runs.',
  }),
  credential: ({ server }) => ({
    title: `${server!.name} rejects its credentials`,
    detail: 'Enter new values for the server, then verify it again.',
  }),
  sign_in: ({ server, credentialSet }) => ({
    title: `${server!.name} needs a sign-in with the credentials "${credentialSet!.name}"`,
    detail: `${credentialSet!.reason} Until an admin signs in, its agents go on without the server.`,
  }),
  webhook_disabled: ({ webhook }) => ({
    title: `Nothing is sent to the webhook at ${new URL(webhook!.url).host} any more`,
    detail: `${webhook!.reason === 'gone' ? 'Its address answered 410 Gone' : 'Its address answered 404 for a day'}, so it was disabled. Give it another address and enable it, or delete it.`,
  }),
  schedule_failing: ({ schedule }) => ({
    title: `The schedule ${schedule!.name} could not create its issue${schedule!.failures === 1 ? '' : ` ${schedule!.failures} times in a row`}`,
    detail: `${asSentence(schedule!.reason)} ${schedule!.enabled ? 'Change its template or what it names.' : 'It was disabled. Change its template or what it names, then enable it.'}`,
  }),
  key_expiring: ({ apiKey, agent }) => ({
    title: `The key ${apiKey!.name}${agent ? ` of ${agent.name}` : ''} expires soon`,
    detail: `It expires at ${apiKey!.expiresAt}. Make a new key and use it before that.`,
  }),
  budget_near: (cause) => {
    const { used, limit, measure } = nearestLimit(cause.budget!);
    return {
      title: `The budget of ${nameOfBudget(cause)} is ${shareOf(cause.budget!)}% used: ${amountInWords(measure, used, limit)}`,
      detail: 'The work stops where the limit is reached. Raise it if the work is to go on.',
    };
  },
};

export function textOf(cause: CauseRow): Text {
  return TEXTS[cause.kind](cause);
}

function nameOfBudget({ budget, issue, agent, project }: CauseRow): string {
  return { issue: issue?.key, agent: agent?.name, project: `project ${project?.key}` }[budget!.scope] ?? 'it';
}

function whyStuck({ issue, agent }: CauseRow): string {
  if (issue!.paused) return 'Someone paused it. Resume it.';
  if (!agent) return 'It has no assignee. Assign it to an agent or a person.';
  if (agent.retired) return `${agent.name} was retired. Assign the issue to another agent.`;
  if (agent.disabled) return `${agent.name} is disabled. Enable it, or assign the issue to another agent.`;
  if (agent.neverSeen) return `${agent.name} has never sent a heartbeat. Start it.`;
  return `${agent.name} sends no heartbeat. Check that it runs, or assign the issue to another agent.`;
}

/** A call that the caller may make unchanged. */
export interface Action {
  label: string;
  method: 'POST' | 'PUT';
  path: string;
  body: Record<string, unknown> | null;
  /** Whether a caller with a session needs a key of elevated mode for it. */
  elevated: boolean;
}

/** What can be done about a cause: `action` is the recommended one, null where a person has to read first. */
export interface Choices {
  action: Action | null;
  alternatives: Action[];
  needsRole: Role;
}

type Call = Omit<Action, 'elevated'>;
type Offer = { action?: Call; alternatives?: Call[]; needsRole: Role };

const post = (label: string, path: string, body: Call['body'] = null): Call => ({
  label,
  method: 'POST',
  path,
  body,
});
const put = (label: string, path: string, body: Call['body']): Call => ({ label, method: 'PUT', path, body });
const issuePath = ({ issue }: CauseRow) => `/api/projects/issues/${issue!.id}`;
const agentPath = ({ agent }: CauseRow) => `/api/agents/${agent!.id}`;
const projectPath = ({ project }: CauseRow) => `/api/projects/${project!.id}`;
const serverPath = ({ server }: CauseRow) => `/api/mcp/installed/${server!.id}`;
const takeOver = (cause: CauseRow, caller: UserPrincipal) =>
  put('Assign to me', issuePath(cause), { assignedAgentId: null, assigneeUserId: caller.id });
const disable = (cause: CauseRow) => post('Disable the server', `${serverPath(cause)}/disable`);

/** What each kind offers to a caller with the role that it needs. */
const OFFERS: Record<AttentionKind, (cause: CauseRow, caller: UserPrincipal) => Offer> = {
  gate: offerAnswers,
  review: (cause) => ({
    alternatives: [
      put('Mark as resolved', issuePath(cause), { status: 'Resolved' }),
      put('Ask for changes', issuePath(cause), { status: 'InProgress' }),
    ],
    needsRole: 'Editor',
  }),
  exhausted: (cause) => ({
    alternatives: [
      put('Try again', issuePath(cause), { status: 'Open' }),
      put('Mark as resolved', issuePath(cause), { status: 'Resolved' }),
    ],
    needsRole: 'Editor',
  }),
  stuck: offerToUnblock,
  released: (cause, caller) => ({ alternatives: [takeOver(cause, caller)], needsRole: 'Editor' }),
  server_error: (cause) => ({
    action: post('Verify again', `${serverPath(cause)}/verify`),
    alternatives: [disable(cause)],
    needsRole: 'Admin',
  }),
  tools_changed: (cause) => ({
    alternatives: [post('Approve all tools', `${serverPath(cause)}/tools/approve`, {}), disable(cause)],
    needsRole: 'Admin',
  }),
  // What it reports is corrected where it runs.
  agent_failing: offerToDisable,
  agent_silent: offerToDisable,
  credential: (cause) => ({
    alternatives: [post('Verify again', `${serverPath(cause)}/verify`), disable(cause)],
    needsRole: 'Admin',
  }),
  sign_in: (cause) => ({
    action: post('Sign in', `${serverPath(cause)}/credential-sets/${cause.credentialSet!.name}/sign-in`, {}),
    alternatives: [disable(cause)],
    needsRole: 'Admin',
  }),
  webhook_disabled: ({ webhook }) => ({
    alternatives: [put('Enable the webhook', `/api/webhooks/${webhook!.id}`, { disabled: false })],
    needsRole: 'Admin',
  }),
  schedule_failing: ({ schedule }) => {
    const path = `/api/projects/schedules/${schedule!.id}`;
    return {
      alternatives: [
        put(schedule!.enabled ? 'Disable the schedule' : 'Enable the schedule', path, {
          enabled: !schedule!.enabled,
        }),
        post('Run it now', `${path}/run`),
      ],
      needsRole: 'Editor',
    };
  },
  key_expiring: offerNewKey,
  budget_near: offerMore,
};

/** Returns what the caller may do about a cause; nothing for a caller below the role that it needs. */
export function choicesOf(cause: CauseRow, caller: UserPrincipal): Choices {
  const { action, alternatives = [], needsRole } = OFFERS[cause.kind](cause, caller);
  const rank = cause.project ? (cause.rank ?? 0) : rankOf(caller.role);
  if (rank < rankOf(needsRole)) return { action: null, alternatives: [], needsRole };
  const offered = ({ path, ...call }: Call): Action => ({
    ...call,
    path,
    elevated: caller.sessionId !== null && path.startsWith('/api/mcp/'),
  });
  return { action: action ? offered(action) : null, alternatives: alternatives.map(offered), needsRole };
}

function offerToDisable(cause: CauseRow): Offer {
  return {
    alternatives: [put('Disable the agent', agentPath(cause), { disabled: true })],
    needsRole: 'Admin',
  };
}

/** A gate without an issue is answered by Admins, of its project where it has one (contract §5.6). */
function offerAnswers({ gate, issue }: CauseRow): Offer {
  const { id, kind, options, recommended } = gate!;
  const answerRole = issue === null ? 'Admin' : gate!.answerRole;
  const answer = (label: string, body: Call['body']) => post(label, `/api/projects/gates/${id}/answer`, body);
  if (kind === 'approval')
    return {
      alternatives: [answer('Approve', { decision: 'approve' }), answer('Deny', { decision: 'deny' })],
      needsRole: answerRole,
    };
  // By how much a budget is extended is for a person to say.
  if (kind === 'budget')
    return { alternatives: [answer('Stop', { decision: 'stop' })], needsRole: answerRole };
  const choose = (option: string) => answer(option, { option });
  return {
    ...(recommended !== null && { action: choose(recommended) }),
    alternatives: options.filter((option) => option !== recommended).map(choose),
    needsRole: answerRole,
  };
}

function offerToUnblock(cause: CauseRow, caller: UserPrincipal): Offer {
  const { issue, agent } = cause;
  const mine = takeOver(cause, caller);
  if (issue!.paused)
    return {
      action: post('Resume', `${issuePath(cause)}/resume`),
      alternatives: [mine],
      needsRole: 'Editor',
    };
  if (agent?.disabled && !agent.retired && rankOf(caller.role) >= rankOf('Admin'))
    return {
      action: put('Enable the agent', agentPath(cause), { disabled: false }),
      alternatives: [mine],
      needsRole: 'Editor',
    };
  return { alternatives: [mine], needsRole: 'Editor' };
}

/** A budget is replaced as a whole, so the call names all limits as they are at present. */
function offerMore(cause: CauseRow): Offer {
  const { scope, period } = cause.budget!;
  const { limits, words } = raisedLimits(cause.budget!);
  const path = { issue: issuePath, agent: agentPath, project: projectPath }[scope](cause);
  return {
    alternatives: [put(`Raise the limit to ${words}`, `${path}/budget`, { ...limits, period })],
    needsRole: scope === 'issue' ? 'Editor' : 'Admin',
  };
}

/** An agent's keys and those of other users are made by Admins. */
function offerNewKey({ apiKey, agent }: CauseRow, caller: UserPrincipal): Offer {
  const { userId, name } = apiKey!;
  const isOwn = userId === caller.id;
  const owner = isOwn ? '/api/auth' : agent ? `/api/agents/${agent.id}` : `/api/users/${userId}`;
  return { action: post('Make a new key', `${owner}/keys`, { name }), needsRole: isOwn ? 'Viewer' : 'Admin' };
}
