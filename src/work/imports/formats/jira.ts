import type { Priority } from '../../issue-status/issue-status.js';
import {
  type Fields,
  type ImportItem,
  type IssueItem,
  type MappedRecord,
  requiredText,
  textIn,
  unknownFields,
  UnreadableRecord,
  user,
} from './import-item.js';

const KNOWN = new Set([
  ...[
    'Summary',
    'Issue key',
    'Issue id',
    'Issue Type',
    'Status',
    'Status Category',
    'Priority',
    'Resolution',
  ],
  ...[
    'Assignee',
    'Reporter',
    'Creator',
    'Created',
    'Updated',
    'Resolved',
    'Labels',
    'Description',
    'Comment',
  ],
  ...[
    'Parent',
    'Parent id',
    'Parent key',
    'Custom field (Epic Link)',
    'Project key',
    'Project name',
    'Project type',
  ],
  ...['Outward issue link (Blocks)', 'Inward issue link (Blocks)', 'Outward issue link (Relates)'],
  ...['Inward issue link (Relates)', 'Outward issue link (Duplicate)', 'Inward issue link (Duplicate)'],
  ...['Assignee Id', 'Reporter Id', 'Creator Id', 'Last Viewed', 'Project lead', 'Project url', 'Project id'],
]);

const PRIORITIES: Record<string, Priority> = {
  highest: 'urgent',
  blocker: 'urgent',
  critical: 'urgent',
  high: 'high',
  major: 'high',
  medium: 'medium',
  low: 'low',
  minor: 'low',
  lowest: 'low',
  trivial: 'low',
};

const DROPPED = /^(?:won'?t (?:do|fix)|duplicate|declined|cannot reproduce|incomplete)$/i;
const DONE = /^(?:done|closed|resolved|complete[d]?)$/i;
const DOING = /^(?:in progress|in review|doing)$/i;

/** Maps a row of "Export CSV (all fields)" of Jira. A column that is there several times is a list. */
export function fromJira(row: Fields): MappedRecord {
  const key = requiredText(row, 'Issue key');
  const externalId = `jira:${key}`;
  const category = first(row, 'Status Category') ?? first(row, 'Status') ?? '';
  const isDone = DONE.test(category) || DONE.test(first(row, 'Status') ?? '');
  const isDropped = isDone && DROPPED.test(first(row, 'Resolution') ?? '');
  const ended = instantOf(first(row, 'Resolved')) ?? (isDone ? instantOf(first(row, 'Updated')) : null);
  const type = first(row, 'Issue Type');
  const assignee = first(row, 'Assignee');
  const issue: IssueItem = {
    kind: 'issue',
    externalId,
    title: first(row, 'Summary') ?? refuse('Summary'),
    description: first(row, 'Description') ?? '',
    status: isDropped ? 'Closed' : isDone ? 'Resolved' : DOING.test(category) ? 'InProgress' : 'Open',
    paused: false,
    priority: PRIORITIES[(first(row, 'Priority') ?? '').toLowerCase()] ?? 'none',
    agent: assignee,
    assignee,
    goal: null,
    labels: [...all(row, 'Labels'), ...(type ? [type] : [])],
    createdBy: user(first(row, 'Creator') ?? first(row, 'Reporter')),
    createdAt: instantOf(first(row, 'Created')),
    updatedAt: instantOf(first(row, 'Updated')),
    startedAt: null,
    resolvedAt: isDone && !isDropped ? ended : null,
    closedAt: isDropped ? ended : null,
  };
  const ignored = unknownFields(row, KNOWN).map((column) => `column ${column}`);
  const parent = first(row, 'Parent key') ?? first(row, 'Custom field (Epic Link)');
  if (parent === null && (first(row, 'Parent id') ?? first(row, 'Parent')) !== null)
    ignored.push('a parent by its number: export the column Parent key, too');
  return { items: [issue, ...linksOf(row, externalId, parent), ...commentsOf(row, externalId)], ignored };
}

function linksOf(row: Fields, externalId: string, parent: string | null): ImportItem[] {
  const link = (
    linkType: 'Blocks' | 'RelatedTo' | 'DuplicateOf' | 'Child',
    source: string,
    target: string,
  ) => ({
    ...{ kind: 'link' as const, linkType, source, target, holdsParent: true },
    ...{ createdBy: user(null), createdAt: null },
  });
  const other = (key: string) => `jira:${key}`;
  return [
    ...(parent === null ? [] : [link('Child', externalId, other(parent))]),
    ...all(row, 'Outward issue link (Blocks)').map((key) => link('Blocks', externalId, other(key))),
    ...all(row, 'Inward issue link (Blocks)').map((key) => link('Blocks', other(key), externalId)),
    ...all(row, 'Outward issue link (Relates)').map((key) => link('RelatedTo', externalId, other(key))),
    ...all(row, 'Inward issue link (Relates)').map((key) => link('RelatedTo', other(key), externalId)),
    ...all(row, 'Outward issue link (Duplicate)').map((key) => link('DuplicateOf', externalId, other(key))),
    ...all(row, 'Inward issue link (Duplicate)').map((key) => link('DuplicateOf', other(key), externalId)),
  ];
}

/** A comment is written as its time, its author and its text, with semicolons between. */
function commentsOf(row: Fields, issue: string): ImportItem[] {
  return all(row, 'Comment').map((written, index) => {
    const [, at = null, author = null, text = written] = /^([^;]*);([^;]*);([\s\S]*)$/.exec(written) ?? [];
    const createdAt = instantOf(at);
    return {
      kind: 'comment',
      externalId: `${issue}/comments/${index + 1}`,
      issue,
      content: text,
      createdBy: user(author),
      createdAt,
      updatedAt: createdAt,
    };
  });
}

function all(row: Fields, column: string): string[] {
  const value = row[column];
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
}

const first = (row: Fields, column: string): string | null => all(row, column)[0] ?? textIn(row, column);

function refuse(column: string): never {
  throw new UnreadableRecord(`has no ${column}`);
}

const SHORT = /^(\d{1,2})\/([A-Za-z]{3})\/(\d{2}|\d{4}) (\d{1,2}):(\d{2})(?: ([AP]M))?$/;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Jira writes times as its administrator has chosen: `22/Jan/24 3:14 PM` unless changed, without a zone, which is taken as UTC. */
function instantOf(text: string | null): string | null {
  if (text === null) return null;
  const parts = SHORT.exec(text.trim());
  if (!parts) return isoOf(new Date(text));
  const [, day, month, year, hour, minute, half] = parts;
  const years = year!.length === 2 ? 2000 + Number(year) : Number(year);
  const hours = (Number(hour) % (half ? 12 : 24)) + (half === 'PM' ? 12 : 0);
  return isoOf(
    new Date(Date.UTC(years, MONTHS.indexOf(month!.toLowerCase()), Number(day), hours, Number(minute))),
  );
}

const isoOf = (at: Date): string | null => (Number.isNaN(at.getTime()) ? null : at.toISOString());
