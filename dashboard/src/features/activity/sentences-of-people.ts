import type { EventType } from '../../api/types';
import { changedFields, textOf, type Facts } from './data';
import { say, type Sentence } from './say';

type Sentences = Partial<Record<EventType, (facts: Facts) => Sentence>>;

const agent = ({ entry, names }: Facts): string => names.agent(entry.subject.id) ?? 'an agent';
const user = ({ entry, names }: Facts): string => names.user(entry.subject.id) ?? 'a user';

/** Entries about agents, users, keys, sign-ins, refusals and webhooks. */
export const sentencesOfPeople: Sentences = {
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
  'webhook.created': (facts) => say`Created a webhook${to(facts)}`,
  'webhook.updated': (facts) => say`Changed the ${changedFields(facts)} of a webhook`,
  'webhook.secret_rotated': () => say`Rotated the secret of a webhook`,
  'webhook.deleted': (facts) => say`Deleted a webhook${to(facts)}`,
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

function to(facts: Facts): Sentence | null {
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
