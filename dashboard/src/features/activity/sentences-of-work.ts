import type { EventType, IssueStatus } from '../../api/types';
import { issueStatuses } from '../../parts/status';
import { changedFields, issueIn, textOf, type Facts } from './data';
import { say, type Sentence } from './say';

type Sentences = Partial<Record<EventType, (facts: Facts) => Sentence>>;

const project = ({ entry, names }: Facts): string => names.project(entry.projectId) ?? 'a project';

/** Entries about issues, their parts, goals and projects. */
export const sentencesOfWork: Sentences = {
  'issue.created': (facts) =>
    say`Created the issue ${[facts.entry.issueKey, textOf(facts, 'title')].filter(Boolean).join(' ')}`,
  'issue.updated': (facts) => say`Changed the ${changedFields(facts)} of ${issueIn(facts)}`,
  'issue.status_changed': statusChange,
  'issue.picked_up': (facts) => say`Picked up ${issueIn(facts)}`,
  'issue.lease_lost': (facts) => say`The lease of ${issueIn(facts)} ran out; it is handed out again`,
  'issue.tools_called': (facts) => say`Called tools for ${issueIn(facts)}`,
  'issue.paused': (facts) => say`Paused ${issueIn(facts)}`,
  'issue.resumed': (facts) => say`Resumed ${issueIn(facts)}`,
  'issue.deleted': (facts) => say`Deleted ${textOf(facts, 'key') ?? 'an issue'}, ${textOf(facts, 'title')}`,
  'comment.created': (facts) => say`Commented on ${issueIn(facts)}`,
  'comment.updated': (facts) => say`Changed a comment on ${issueIn(facts)}`,
  'comment.deleted': (facts) => say`Deleted a comment on ${issueIn(facts)}`,
  'attachment.created': (facts) => say`Attached ${textOf(facts, 'filename')} to ${issueIn(facts)}`,
  'attachment.deleted': (facts) => say`Removed the file ${textOf(facts, 'filename')} of ${issueIn(facts)}`,
  'attachment.replaced': (facts) => say`Replaced the file ${textOf(facts, 'filename')} of ${issueIn(facts)}`,
  'link.created': (facts) => say`Linked ${issueIn(facts)}: ${linkWords(facts)} another issue`,
  'link.deleted': (facts) => say`Removed a link of ${issueIn(facts)}: ${linkWords(facts)} another issue`,
  'goal.created': (facts) => say`Created the goal ${textOf(facts, 'title')}`,
  'goal.updated': (facts) => say`Changed the ${changedFields(facts)} of a goal in ${project(facts)}`,
  'goal.deleted': (facts) => say`Deleted the goal ${textOf(facts, 'title')}`,
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
