import type { Priority } from '../../issue-status/issue-status.js';
import {
  type Fields,
  type ImportItem,
  instantIn,
  isFields,
  listIn,
  type MappedRecord,
  requiredText,
  textIn,
  unknownFields,
  UnreadableRecord,
  user,
} from './import-item.js';

/** Fields that say the same as others, or nothing about the work: addresses, counters and flags of the client. */
const KNOWN = new Set([
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

const PRIORITY = /^(?:priority|prio|p)\s*[:/ -]?\s*(urgent|critical|high|medium|low|[0-4])$/i;
const PRIORITIES: Record<string, Priority> = {
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
  const ignored = unknownFields(record, KNOWN);
  for (const person of people.slice(1)) ignored.push(`further assignee ${textIn(person, 'login')}`);
  if (typeof record['comments'] === 'number' && record['comments'] > 0)
    ignored.push('comments, which the REST API lists apart');
  if (loginIn(record, 'closed_by') !== null) ignored.push('closed_by');
  return { items, ignored };
}

/** `owner/name` from an address of the issue, so that issues of two repositories do not meet. */
function repositoryOf(record: Fields): string {
  const address =
    textIn(record, 'html_url') ?? textIn(record, 'url') ?? textIn(record, 'repository_url') ?? '';
  return /^https?:\/\/[^/]+\/(?:repos\/|api\/v3\/repos\/)?([^/]+\/[^/?#]+)/.exec(address)?.[1] ?? '';
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
  return (named && PRIORITIES[named]) || 'none';
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
