import type { EventType, IssueStatus } from '../../api/types';
import { issueStatuses } from '../../parts/status';
import { changedFields, textOf, type Facts } from './data';
import { say, type Sentence } from './say';

type Sentences = Partial<Record<EventType, (facts: Facts) => Sentence>>;

const project = ({ entry, names }: Facts): string => names.project(entry.projectId) ?? 'a project';

/** Entries about issues, their parts, goals and projects. */
export const sentencesOfWork: Sentences = {
  'issue.created': (facts) => say`Created the issue ${textOf(facts, 'title')}`,
  'issue.updated': (facts) => say`Changed the ${changedFields(facts)} of an issue`,
  'issue.status_changed': statusChange,
  'issue.picked_up': () => say`Picked up an issue`,
  'issue.lease_lost': () => say`The lease of an issue ran out; it is handed out again`,
  'issue.tools_called': () => say`Called tools for an issue`,
  'issue.paused': () => say`Paused an issue`,
  'issue.resumed': () => say`Resumed an issue`,
  'issue.deleted': (facts) => say`Deleted ${textOf(facts, 'key') ?? 'an issue'}, ${textOf(facts, 'title')}`,
  'comment.created': () => say`Commented on an issue`,
  'comment.updated': () => say`Changed a comment`,
  'comment.deleted': () => say`Deleted a comment`,
  'attachment.created': (facts) => say`Attached ${textOf(facts, 'filename')}`,
  'attachment.deleted': (facts) => say`Removed the file ${textOf(facts, 'filename')}`,
  'attachment.replaced': (facts) => say`Replaced the file ${textOf(facts, 'filename')}`,
  'link.created': (facts) => say`Linked two issues: ${linkWords(facts)}`,
  'link.deleted': (facts) => say`Removed a link between two issues: ${linkWords(facts)}`,
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
  return say`Moved an issue from ${from} to ${to}`;
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
