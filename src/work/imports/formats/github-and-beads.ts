import type { Priority } from '../../issue-status/issue-status.js';
import {
  type Fields,
  type ImportItem,
  instantIn,
  isFields,
  type IssueItem,
  type LinkItem,
  listIn,
  type MappedRecord,
  requiredText,
  textIn,
  unknownFields,
  unreadableTimes,
  UnreadableRecord,
  user,
} from './import-items.js';

/** Fields that say the same as others, or nothing about the work: addresses, counters and flags of the client. */
const FIELDS_OF_GITHUB = new Set([
  ...[
    'number',
    'title',
    'body',
    'state',
    'stateReason',
    'state_reason',
    'author',
    'user',
    'labels',
    'comments',
  ],
  ...['assignees', 'assignee', 'milestone', 'createdAt', 'created_at', 'updatedAt', 'updated_at'],
  ...[
    'closedAt',
    'closed_at',
    'closed',
    'closed_by',
    'id',
    'node_id',
    'url',
    'html_url',
    'repository_url',
    'repository',
  ],
  ...[
    'labels_url',
    'comments_url',
    'events_url',
    'timeline_url',
    'author_association',
    'performed_via_github_app',
  ],
  ...['sub_issues_summary', 'issue_dependencies_summary', 'parent_issue_url'],
]);

const TIMES_OF_GITHUB = ['createdAt', 'created_at', 'updatedAt', 'updated_at', 'closedAt', 'closed_at'];

const PRIORITY = /^(?:priority|prio|p)\s*[:/ -]?\s*(urgent|critical|high|medium|low|[0-4])$/i;
const PRIORITIES_OF_GITHUB: Record<string, Priority> = {
  urgent: 'urgent',
  critical: 'urgent',
  0: 'urgent',
  high: 'high',
  1: 'high',
  medium: 'medium',
  2: 'medium',
  low: 'low',
  3: 'low',
  4: 'low',
};

/**
 * Maps an issue of GitHub as `gh issue list --json` and as the REST API write it: the first has names in camel case and the comments, the second
 * names with underscores and their number. A milestone becomes a goal. A pull request is no issue.
 */
export function fromGithub(record: Fields): MappedRecord {
  if (isFields(record['pull_request'])) return { items: [], ignored: ['pull request'] };
  const number = requiredText(record, 'number');
  const externalId = `github:${repositoryOf(record)}#${number}`;
  const state = textIn(record, 'state')?.toLowerCase();
  if (state !== 'open' && state !== 'closed') throw new UnreadableRecord('has no state OPEN or CLOSED');
  const reason = (textIn(record, 'stateReason') ?? textIn(record, 'state_reason') ?? '').toLowerCase();
  const isDropped = ['not_planned', 'duplicate'].includes(reason);
  const closedAt = instantIn(record, 'closedAt') ?? instantIn(record, 'closed_at');
  const milestone = isFields(record['milestone']) ? record['milestone'] : null;
  const goal = milestone && goalOf(record, milestone);
  const people = listIn(record, 'assignees').filter(isFields);
  const labels = listIn(record, 'labels').flatMap((label) =>
    typeof label === 'string' ? [label] : isFields(label) ? [textIn(label, 'name') ?? ''] : [],
  );
  const assignee = people[0] ? textIn(people[0], 'login') : null;
  const items: ImportItem[] = [
    ...(goal ? [goal] : []),
    {
      kind: 'issue',
      externalId,
      title: requiredText(record, 'title'),
      description: textIn(record, 'body') ?? '',
      status: state === 'open' ? 'Open' : isDropped ? 'Closed' : 'Resolved',
      paused: false,
      priority: priorityOf(labels),
      agent: assignee,
      assignee,
      goal: goal?.externalId ?? null,
      labels: labels.filter((name) => name !== ''),
      createdBy: user(loginIn(record, 'author') ?? loginIn(record, 'user')),
      createdAt: instantIn(record, 'createdAt') ?? instantIn(record, 'created_at'),
      updatedAt: instantIn(record, 'updatedAt') ?? instantIn(record, 'updated_at'),
      startedAt: null,
      resolvedAt: isDropped ? null : closedAt,
      closedAt: isDropped ? closedAt : null,
    },
    ...commentsOf(record, externalId),
  ];
  const ignored = [...unknownFields(record, FIELDS_OF_GITHUB), ...unreadableTimes(record, TIMES_OF_GITHUB)];
  for (const person of people.slice(1)) ignored.push(`further assignee ${textIn(person, 'login')}`);
  if (typeof record['comments'] === 'number' && record['comments'] > 0)
    ignored.push('comments, which the REST API lists apart');
  if (loginIn(record, 'closed_by') !== null) ignored.push('closed_by');
  return { items, ignored };
}

/**
 * `owner/name` from an address of the issue, so that issues of two repositories do not meet.
 * @throws {UnreadableRecord} where it has none: number 7 of one repository would become number 7 of another one
 */
function repositoryOf(record: Fields): string {
  const address = textIn(record, 'html_url') ?? textIn(record, 'url') ?? textIn(record, 'repository_url');
  const named = /^https?:\/\/[^/]+\/(?:repos\/|api\/v3\/repos\/)?([^/]+\/[^/?#]+)/.exec(address ?? '');
  if (!named)
    throw new UnreadableRecord('has no url that names its repository; add url to gh issue list --json');
  return named[1]!;
}

function goalOf(record: Fields, milestone: Fields) {
  const number = textIn(milestone, 'number');
  const title = textIn(milestone, 'title');
  if (title === null) return null;
  return {
    kind: 'goal' as const,
    externalId: `github:${repositoryOf(record)}/milestones/${number ?? title}`,
    title,
    description: textIn(milestone, 'description') ?? '',
  };
}

function loginIn(record: Fields, name: string): string | null {
  const person = record[name];
  return isFields(person) ? textIn(person, 'login') : null;
}

/** The label stays beside the priority that it names. */
function priorityOf(labels: readonly string[]): Priority {
  const named = labels.map((name) => PRIORITY.exec(name.trim())?.[1]?.toLowerCase()).find(Boolean);
  return (named && PRIORITIES_OF_GITHUB[named]) || 'none';
}

function commentsOf(record: Fields, issue: string): ImportItem[] {
  return listIn(record, 'comments')
    .filter(isFields)
    .map((comment, index) => {
      const createdAt = instantIn(comment, 'createdAt') ?? instantIn(comment, 'created_at');
      return {
        kind: 'comment',
        externalId: `${issue}/comments/${textIn(comment, 'id') ?? index + 1}`,
        issue,
        content: textIn(comment, 'body') ?? '',
        createdBy: user(loginIn(comment, 'author') ?? loginIn(comment, 'user')),
        createdAt,
        updatedAt: instantIn(comment, 'updatedAt') ?? instantIn(comment, 'updated_at') ?? createdAt,
      };
    });
}

/** Beads counts from 0, the most urgent, to 4. */
const PRIORITIES_OF_BEADS: readonly Priority[] = ['urgent', 'high', 'medium', 'low', 'none'];

const beadsPriorityOf = (given: unknown): Priority =>
  (typeof given === 'number' ? PRIORITIES_OF_BEADS[given] : undefined) ?? 'none';

/** Kinds of dependencies that say nothing of blocking are relations here. */
const LINKS = new Map<string, LinkItem['linkType']>(
  Object.entries({
    blocks: 'Blocks',
    'conditional-blocks': 'Blocks',
    'parent-child': 'Child',
    related: 'RelatedTo',
    'relates-to': 'RelatedTo',
    'discovered-from': 'RelatedTo',
    duplicates: 'DuplicateOf',
  }),
);

/** Texts of an issue that have a section of the description each. */
const SECTIONS = [
  ['design', 'Design'],
  ['acceptance_criteria', 'Acceptance criteria'],
  ['notes', 'Notes'],
  ['close_reason', 'Close reason'],
] as const;

const FIELDS_OF_BEADS = new Set([
  'id',
  'title',
  'description',
  'status',
  'priority',
  'issue_type',
  'assignee',
  'owner',
  'labels',
  'dependencies',
  'comments',
  'created_at',
  'created_by',
  'updated_at',
  'started_at',
  'closed_at',
  ...SECTIONS.map(([name]) => name),
]);

/**
 * Maps a line of `.beads/issues.jsonl` (steveyegge/beads). The type of an issue becomes a label, because there is no such field here.
 * An issue that was deleted there has a line of the status `tombstone`, which makes nothing.
 */
export function fromBeads(record: Fields): MappedRecord {
  const id = requiredText(record, 'id');
  const status = textIn(record, 'status');
  if (status === 'tombstone') return { items: [], ignored: ['tombstone'] };
  const externalId = `beads:${id}`;
  const type = textIn(record, 'issue_type');
  const issue: IssueItem = {
    kind: 'issue',
    externalId,
    title: requiredText(record, 'title'),
    description: descriptionOf(record),
    status: status === 'closed' ? 'Resolved' : status === 'in_progress' ? 'InProgress' : 'Open',
    paused: status === 'deferred',
    // Beads writes no priority where it is 0.
    priority: beadsPriorityOf(record['priority'] ?? 0),
    agent: textIn(record, 'assignee'),
    assignee: textIn(record, 'assignee'),
    goal: null,
    labels: [...listIn(record, 'labels').filter((name) => typeof name === 'string'), ...(type ? [type] : [])],
    createdBy: user(textIn(record, 'created_by') ?? textIn(record, 'owner')),
    createdAt: instantIn(record, 'created_at'),
    updatedAt: instantIn(record, 'updated_at'),
    startedAt: instantIn(record, 'started_at'),
    resolvedAt: instantIn(record, 'closed_at'),
    closedAt: null,
  };
  const items: ImportItem[] = [issue];
  const ignored = [
    ...unknownFields(record, FIELDS_OF_BEADS),
    ...unreadableTimes(record, ['created_at', 'updated_at', 'started_at', 'closed_at']),
  ];
  for (const dependency of listIn(record, 'dependencies').filter(isFields)) {
    const linkType = LINKS.get(textIn(dependency, 'type') ?? '');
    const other = textIn(dependency, 'depends_on_id');
    if (!linkType || other === null) {
      ignored.push(`dependency of the type ${textIn(dependency, 'type') ?? 'unknown'}`);
      continue;
    }
    // The issue depends on the other one: a blocker points at the issue, a child at its parent.
    const [source, target] =
      linkType === 'Blocks' ? [`beads:${other}`, externalId] : [externalId, `beads:${other}`];
    items.push({
      kind: 'link',
      linkType,
      source,
      target,
      holdsParent: true,
      createdBy: user(textIn(dependency, 'created_by')),
      createdAt: instantIn(dependency, 'created_at'),
    });
  }
  for (const [index, comment] of listIn(record, 'comments').filter(isFields).entries()) {
    const createdAt = instantIn(comment, 'created_at');
    items.push({
      kind: 'comment',
      externalId: `${externalId}/comments/${textIn(comment, 'id') ?? index + 1}`,
      issue: externalId,
      content: textIn(comment, 'text') ?? '',
      createdBy: user(textIn(comment, 'author')),
      createdAt,
      updatedAt: createdAt,
    });
  }
  return { items, ignored };
}

function descriptionOf(record: Fields): string {
  const sections = SECTIONS.flatMap(([name, heading]) => {
    const text = textIn(record, name);
    return text === null ? [] : [`## ${heading}\n\n${text}`];
  });
  return [textIn(record, 'description') ?? '', ...sections].filter((part) => part !== '').join('\n\n');
}
