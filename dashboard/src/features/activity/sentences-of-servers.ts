import type { EventType } from '../../api/types';
import { changedFields, namesIn, textOf, type Facts } from './data';
import { listed, say, type Sentence } from './say';

const server = ({ entry: { subject } }: Facts): string => subject.name ?? 'a server';

type Sentences = Partial<Record<EventType, (facts: Facts) => Sentence>>;

/** Entries about MCP servers, their tools and access to them. A server that was removed has no name. */
export const sentencesOfServers: Sentences = {
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
  const agent = names.agent(first.agentId) ?? 'an agent';
  if (first.granted === false) return say`Took ${server(facts)} away from ${agent}`;
  if (Array.isArray(first.tools))
    return say`Narrowed ${agent} to ${`${first.tools.length} tools`} of ${server(facts)}`;
  return say`Granted ${server(facts)} to ${agent}`;
}
