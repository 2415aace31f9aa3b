import type { AuditEntry, EventType, IssueStatus } from '../../api/types';
import { issueStatuses } from '../../parts/status';
import {
  changedFields,
  type Facts,
  issueIn,
  listed,
  type Names,
  namesIn,
  say,
  type Sentence,
  textOf,
} from './sentence-parts';

type Sentences = Partial<Record<EventType, (facts: Facts) => Sentence>>;

const project = ({ entry, names }: Facts): string => names.project(entry.projectId) ?? 'a project';

/** Entries about issues, their parts, goals and projects. */
const sentencesOfWork: Sentences = {
  'issue.created': (facts) =>
    say`Created the issue ${[facts.entry.issueKey, textOf(facts, 'title')].filter(Boolean).join(' ')}`,
  'issue.updated': (facts) => say`Changed the ${changedFields(facts)} of ${issueIn(facts)}`,
  'issue.status_changed': statusChange,
  'issue.picked_up': (facts) => say`Picked up ${issueIn(facts)}`,
  'issue.lease_lost': (facts) => say`The lease of ${issueIn(facts)} ran out; it is handed out again`,
  'issue.tools_called': (facts) => say`Called tools for ${issueIn(facts)}`,
  'issue.paused': (facts) => say`Paused ${issueIn(facts)}`,
  'issue.resumed': (facts) => say`Resumed ${issueIn(facts)}`,
  'issue.child_added': (facts) => say`Put a sub-issue below ${issueIn(facts)}`,
  'issue.child_removed': (facts) => say`Took a sub-issue from ${issueIn(facts)}`,
  'issue.deleted': (facts) => say`Deleted ${textOf(facts, 'key') ?? 'an issue'}, ${textOf(facts, 'title')}`,
  'comment.created': (facts) => say`Commented on ${issueIn(facts)}`,
  'comment.updated': (facts) => say`Changed a comment on ${issueIn(facts)}`,
  'comment.deleted': (facts) => say`Deleted a comment on ${issueIn(facts)}`,
  'attachment.created': (facts) => say`Attached ${textOf(facts, 'filename')} to ${issueIn(facts)}`,
  'attachment.deleted': (facts) => say`Removed the file ${textOf(facts, 'filename')} of ${issueIn(facts)}`,
  'attachment.replaced': (facts) => say`Replaced the file ${textOf(facts, 'filename')} of ${issueIn(facts)}`,
  'link.created': (facts) => say`Linked ${issueIn(facts)}: ${linkWords(facts)} another issue`,
  'link.deleted': (facts) => say`Removed a link of ${issueIn(facts)}: ${linkWords(facts)} another issue`,
  'code.linked': (facts) => say`Linked ${textOf(facts, 'url')} to ${issueIn(facts)}`,
  'code.updated': (facts) => say`Reported on ${textOf(facts, 'url')} of ${issueIn(facts)}`,
  'code.unlinked': (facts) => say`Took ${textOf(facts, 'url')} from ${issueIn(facts)}`,
  'code.hook_set': (facts) => say`Set the ${textOf(facts, 'provider')} hook of ${project(facts)}`,
  'code.hook_deleted': (facts) => say`Deleted the ${textOf(facts, 'provider')} hook of ${project(facts)}`,
  'goal.created': (facts) => say`Created the goal ${textOf(facts, 'title')}`,
  'goal.updated': (facts) => say`Changed the ${changedFields(facts)} of a goal in ${project(facts)}`,
  'goal.deleted': (facts) => say`Deleted the goal ${textOf(facts, 'title')}`,
  'label.created': (facts) => say`Created the label ${textOf(facts, 'name')} in ${project(facts)}`,
  'label.updated': (facts) => say`Changed the ${changedFields(facts)} of a label in ${project(facts)}`,
  'label.deleted': (facts) => say`Deleted the label ${textOf(facts, 'name')} in ${project(facts)}`,
  'import.started': (facts) => say`Started an import into ${project(facts)}`,
  'import.completed': (facts) => say`Completed an import into ${project(facts)}`,
  'import.failed': (facts) => say`Could not complete an import into ${project(facts)}`,
  'schedule.created': (facts) => say`Created the schedule ${textOf(facts, 'name')} in ${project(facts)}`,
  'schedule.updated': (facts) => say`Changed the ${changedFields(facts)} of a schedule in ${project(facts)}`,
  'schedule.deleted': (facts) => say`Deleted the schedule ${textOf(facts, 'name')} in ${project(facts)}`,
  'schedule.ran': (facts) => say`Created an issue by a schedule in ${project(facts)}`,
  'schedule.skipped': (facts) =>
    textOf(facts, 'reason') === 'missed'
      ? say`Missed times of a schedule in ${project(facts)}`
      : say`Left out a time of a schedule in ${project(facts)}, whose last issue is not finished`,
  'schedule.failed': (facts) => say`Could not create the issue of a schedule in ${project(facts)}`,
  'project.created': (facts) => say`Created the project ${textOf(facts, 'name')}`,
  'project.updated': (facts) => say`Changed the ${changedFields(facts)} of ${project(facts)}`,
  'project.deleted': (facts) => say`Deleted the project ${textOf(facts, 'name')}`,
  'project.members_changed': (facts) => say`Changed the members of ${project(facts)}`,
};

function statusChange(facts: Facts): Sentence {
  const [from, to] = [wordOf(textOf(facts, 'old')), wordOf(textOf(facts, 'new'))];
  return say`Moved ${issueIn(facts)} from ${from} to ${to}`;
}

const wordOf = (status: string | null): string =>
  issueStatuses[status as IssueStatus]?.word ?? status ?? 'another state';

const links: Record<string, string> = {
  Blocks: 'blocks',
  BlockedBy: 'blocked by',
  RelatedTo: 'related to',
  DuplicateOf: 'duplicate of',
};

const linkWords = (facts: Facts): string => links[textOf(facts, 'linkType') ?? ''] ?? 'related to';

const gateKinds: Record<string, string> = {
  approval: 'a request for approval',
  question: 'a question',
  budget: 'a question about a budget',
  checks: 'a wait for checks',
};

const gate = (facts: Facts): string => gateKinds[textOf(facts, 'kind') ?? ''] ?? 'a question';

/** Entries about what only a person can decide, and about budgets. */
const sentencesOfGates: Sentences = {
  'gate.opened': (facts) => say`Opened ${gate(facts)}${place(facts)}`,
  'gate.answered': (facts) => say`Answered ${gate(facts)}${place(facts)}`,
  'gate.expired': (facts) => say`The time for ${gate(facts)}${place(facts)} ran out`,
  'gate.withdrawn': (facts) => say`Withdrew ${gate(facts)}${place(facts)}`,
  'gate.executed': (facts) => say`An approved tool call${place(facts)} was executed`,
  'budget.set': (facts) => say`Set the budget of ${owner(facts)}`,
  'budget.deleted': (facts) => say`Removed the budget of ${owner(facts)}`,
};

/** A gate of an agent has no issue. */
const place = (facts: Facts): Sentence => (facts.entry.issueId === null ? [] : say` on ${issueIn(facts)}`);

function owner(facts: Facts): string {
  const {
    entry: { subject },
    names,
  } = facts;
  if (subject.type === 'agent') return names.agent(subject.id) ?? 'an agent';
  if (subject.type === 'project') return names.project(subject.id) ?? 'a project';
  return issueIn(facts);
}

const agent = ({ entry, names }: Facts): string => names.agent(entry.subject.id) ?? 'an agent';
const user = ({ entry, names }: Facts): string => names.user(entry.subject.id) ?? 'a user';

/** Entries about agents, users, keys, sign-ins, refusals and webhooks. */
const sentencesOfPeople: Sentences = {
  'agent.created': (facts) => say`Created the agent ${textOf(facts, 'name')}`,
  'agent.updated': (facts) => say`Changed the ${changedFields(facts)} of ${agent(facts)}`,
  'agent.deleted': (facts) => say`Retired the agent ${textOf(facts, 'name')}`,
  'agent.halted': (facts) => withReason(say`Halted all agents`, textOf(facts, 'reason')),
  'agent.unhalted': () => say`Let all agents go on`,
  'user.created': (facts) => say`Created the user ${textOf(facts, 'email')} as ${textOf(facts, 'role')}`,
  'user.updated': (facts) => say`Changed the ${changedFields(facts)} of ${user(facts)}`,
  'user.disabled': (facts) => say`Disabled ${user(facts)}`,
  'user.enabled': (facts) => say`Enabled ${user(facts)}`,
  'user.password_changed': (facts) => say`Changed the password of ${user(facts)}`,
  'user.role_kept': (facts) =>
    say`${user(facts)} stayed ${textOf(facts, 'role')}: no other Owner can sign in`,
  'user.identity_set': (facts) => say`Joined ${user(facts)} with an account of the OpenID provider`,
  'user.identity_removed': (facts) => say`Separated ${user(facts)} from the account of the OpenID provider`,
  'key.created': createdKey,
  'key.deleted': (facts) => say`Revoked a key of ${ownerOf(facts)}`,
  'key.expiring': (facts) => say`The key ${textOf(facts, 'name')} of ${ownerOf(facts)} ends soon`,
  'login.succeeded': () => say`Signed in`,
  'login.failed': failedLogin,
  'login.confirmed': () => say`Confirmed at the OpenID provider who they are`,
  'login.ended': () => say`Signed out`,
  'access.refused': refusal,
  'journal.pruned': () => say`Removed old entries of the journal by its retention`,
  'webhook.created': (facts) => say`Created a webhook${toUrl(facts)}`,
  'webhook.updated': (facts) => say`Changed the ${changedFields(facts)} of a webhook`,
  'webhook.secret_rotated': () => say`Rotated the secret of a webhook`,
  'webhook.deleted': (facts) => say`Deleted a webhook${toUrl(facts)}`,
};

/** The name that the service gives to the keys of elevated mode, which the page itself asks for. */
const ELEVATED = 'elevated mode';

function createdKey(facts: Facts): Sentence {
  const name = textOf(facts, 'name');
  return name === ELEVATED
    ? say`Confirmed to manage servers`
    : say`Created the key ${name} of ${ownerOf(facts)}`;
}

function withReason(sentence: Sentence, reason: string | null): Sentence {
  return reason === null ? sentence : say`${sentence}: ${reason}`;
}

function toUrl(facts: Facts): Sentence | null {
  const url = textOf(facts, 'url');
  return url === null ? null : say` to ${url}`;
}

function ownerOf({ entry: { data }, names }: Facts): string {
  return names.agent(data['agentId']) ?? names.user(data['userId']) ?? 'someone';
}

function failedLogin({ entry: { data } }: Facts): Sentence {
  const email = typeof data['email'] === 'string' ? data['email'] : 'an unknown address';
  return data['throttled'] === true
    ? say`Too many failed sign-ins for ${email}`
    : say`A sign-in for ${email} failed`;
}

function refusal(facts: Facts): Sentence {
  const request = `${textOf(facts, 'method') ?? ''} ${textOf(facts, 'path') ?? ''}`.trim();
  return withReason(say`Was refused ${request}`, textOf(facts, 'code'));
}

const server = ({ entry: { subject } }: Facts): string => subject.name ?? 'a server';

/** Entries about MCP servers, their tools and access to them. A server that was removed has no name. */
const sentencesOfServers: Sentences = {
  'mcp.catalog.imported': (facts) =>
    say`Added ${textOf(facts, 'name')} ${textOf(facts, 'version')} to the catalogue`,
  'mcp.server.installed': (facts) => say`Installed the server ${textOf(facts, 'name')}`,
  'mcp.server.updated': (facts) => say`Changed the ${changedFields(facts)} of ${server(facts)}`,
  'mcp.server.verified': verified,
  'mcp.server.enabled': (facts) => say`Enabled ${server(facts)}`,
  'mcp.server.disabled': (facts) => say`Disabled ${server(facts)}`,
  'mcp.server.failed': (facts) =>
    say`${facts.entry.subject.name ?? 'A server'} went into error: ${textOf(facts, 'reason') ?? 'no reason given'}`,
  'mcp.server.upgraded': (facts) =>
    say`Upgraded ${server(facts)} from ${textOf(facts, 'from')} to ${textOf(facts, 'to')}`,
  'mcp.server.deleted': (facts) => say`Removed the server ${textOf(facts, 'name')}`,
  'mcp.credentials.created': credentials('Added'),
  'mcp.credentials.updated': credentials('Changed'),
  'mcp.credentials.revoked': credentials('Revoked'),
  'mcp.credentials.failed': (facts) =>
    say`${server(facts)} crashed too often with the credentials ${textOf(facts, 'credentialSet')}`,
  'mcp.credentials.sign_in_needed': (facts) =>
    say`A person has to sign in to ${server(facts)} with the credentials ${textOf(facts, 'credentialSet')}: ${textOf(facts, 'reason')}`,
  'mcp.credentials.deleted': credentials('Removed'),
  'mcp.credentials.signed_in': credentials('Signed in with'),
  'mcp.credentials.sign_in_failed': (facts) =>
    say`A sign-in with the credentials ${textOf(facts, 'credentialSet') ?? 'of a server'} failed: ${textOf(facts, 'reason')}`,
  'mcp.tool.approved': (facts) => say`Approved ${listed(namesIn(facts, 'tools'))} of ${server(facts)}`,
  'mcp.tool.changed': changedTools,
  'mcp.tool.called': (facts) =>
    say`Tried out the tool ${textOf(facts, 'tool')} of ${server(facts)}: ${textOf(facts, 'result')}`,
  'mcp.access.changed': changedAccess,
  'mcp.profile.created': (facts) => say`Added the profile ${textOf(facts, 'name')}`,
  'mcp.profile.updated': (facts) => say`Changed the profile ${textOf(facts, 'name')}`,
  'mcp.profile.deleted': (facts) => say`Removed the profile ${textOf(facts, 'name')}`,
};

function credentials(verb: string): (facts: Facts) => Sentence {
  return (facts) => say`${verb} the credentials ${textOf(facts, 'credentialSet')} of ${server(facts)}`;
}

function verified(facts: Facts): Sentence {
  const phase = textOf(facts, 'phase');
  if (textOf(facts, 'status') === 'ok') return say`Verified ${server(facts)}: it ${'works'}`;
  return phase === null
    ? say`Verified ${server(facts)}: it ${'failed'}`
    : say`Verified ${server(facts)}: it ${'failed'} in the phase ${phase}`;
}

function changedTools(facts: Facts): Sentence {
  const kinds = ['added', 'changed', 'removed', 'returned'] as const;
  const parts = kinds
    .map((kind) => ({ kind, count: namesIn(facts, kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kind}`);
  return say`The tools of ${server(facts)} changed: ${parts.join(', ') || 'see the data'}`;
}

/** Names the agents of the first entries; the rest is in the data. */
function changedAccess(facts: Facts): Sentence {
  const {
    entry: { data },
    names,
  } = facts;
  const entries = (Array.isArray(data['entries']) ? data['entries'] : []) as {
    agentId?: string;
    granted?: boolean;
    tools?: string[] | null;
  }[];
  const [first] = entries;
  if (!first || entries.length > 1)
    return say`Changed the access of ${`${entries.length} agents`} to ${server(facts)}`;
  const name = names.agent(first.agentId) ?? 'an agent';
  if (first.granted === false) return say`Took ${server(facts)} away from ${name}`;
  if (Array.isArray(first.tools))
    return say`Narrowed ${name} to ${`${first.tools.length} tools`} of ${server(facts)}`;
  return say`Granted ${server(facts)} to ${name}`;
}

const sentences = {
  ...sentencesOfWork,
  ...sentencesOfGates,
  ...sentencesOfPeople,
  ...sentencesOfServers,
};

/** What an entry says, as one sentence after the name of who did it. A type that is newer than this page names itself. */
export function sentenceOf(entry: AuditEntry, names: Names): Sentence {
  return sentences[entry.type]?.({ entry, names }) ?? say`Did ${entry.type}`;
}
