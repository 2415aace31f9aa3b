import { cutToBytes } from '../../../platform/http/text-and-instant-rules.js';
import type { Priority } from '../../issue-status/issue-status.js';
import {
  type Fields,
  type ImportItem,
  instantIn,
  isoOf,
  type IssueItem,
  type MappedRecord,
  requiredText,
  textIn,
  listIn,
  unknownFields,
  unreadableTimes,
  UnreadableRecord,
  user,
} from './import-items.js';

const COLUMNS_OF_JIRA = new Set([
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

const PRIORITIES_OF_JIRA = new Map<string, Priority>(
  Object.entries({
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
  }),
);

/** Bounds the name of a comment: a text that has neither time nor author may have two semicolons, too. */
const MOST_NAME_BYTES = 300;

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
    priority: PRIORITIES_OF_JIRA.get((first(row, 'Priority') ?? '').toLowerCase()) ?? 'none',
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
  const ignored = [
    ...unknownFields(row, COLUMNS_OF_JIRA).map((column) => `column ${column}`),
    ...['Created', 'Updated', 'Resolved']
      .filter((column) => first(row, column) !== null && instantOf(first(row, column)) === null)
      .map((column) => `${column} that is no time`),
  ];
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

/**
 * A comment is written as its time, its author and its text, with semicolons between. It has no id: time and author name it, and a number
 * where they are the same, because its place in the row changes when an earlier one is deleted.
 */
function commentsOf(row: Fields, issue: string): ImportItem[] {
  const counts = new Map<string, number>();
  return all(row, 'Comment').map((written, index) => {
    const [, at = null, author = null, text = written] = /^([^;]*);([^;]*);([\s\S]*)$/.exec(written) ?? [];
    const createdAt = instantOf(at);
    const name = cutToBytes(`${createdAt ?? at ?? ''};${author ?? ''}`, MOST_NAME_BYTES);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return {
      kind: 'comment',
      externalId: `${issue}/comments/${name};${counts.get(name)}`,
      issue,
      content: text,
      createdBy: user(author),
      createdAt,
      updatedAt: createdAt,
      formerId: `${issue}/comments/${index + 1}`,
    };
  });
}

function all(row: Fields, column: string): string[] {
  const value = row[column];
  const values = Array.isArray(value) ? listIn(row, column) : [value];
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
  if (!parts) return instantIn({ text }, 'text');
  const [, day, month, year, hour, minute, half] = parts;
  const years = year!.length === 2 ? 2000 + Number(year) : Number(year);
  const hours = (Number(hour) % (half ? 12 : 24)) + (half === 'PM' ? 12 : 0);
  const place = MONTHS.indexOf(month!.toLowerCase());
  // Jira writes months in the language of its administrator, and -1 would be December.
  return place === -1 ? null : isoOf(new Date(Date.UTC(years, place, Number(day), hours, Number(minute))));
}

const COLUMNS_OF_LINEAR = new Set([
  ...[
    'ID',
    'UUID',
    'Team',
    'Title',
    'Description',
    'Status',
    'Priority',
    'Project',
    'Project ID',
    'Creator',
    'Assignee',
  ],
  ...['Labels', 'Created', 'Updated', 'Started', 'Completed', 'Canceled', 'Archived', 'Parent issue'],
  ...['Blocked by', 'Related to', 'Duplicate of'],
]);

const PRIORITIES_OF_LINEAR = new Map<string, Priority>(
  Object.entries({
    urgent: 'urgent',
    high: 'high',
    medium: 'medium',
    low: 'low',
  }),
);

/** Columns that name other issues, and the link of each: it leads to this issue, or from it. */
const LINKS = [
  ['Blocked by', 'Blocks', 'to'],
  ['Related to', 'RelatedTo', 'from'],
  ['Duplicate of', 'DuplicateOf', 'from'],
  ['Parent issue', 'Child', 'from'],
] as const;

/** Maps a row of the CSV that a workspace of Linear is exported as. A project becomes a goal. Times say what the state is, since teams name their own. */
export function fromLinear(row: Fields): MappedRecord {
  const id = requiredText(row, 'ID');
  const externalId = `linear:${id}`;
  const [completed, canceled] = [instantIn(row, 'Completed'), instantIn(row, 'Canceled')];
  const project = textIn(row, 'Project');
  const goal = project === null ? null : `linear:projects/${textIn(row, 'Project ID') ?? project}`;
  const issue: IssueItem = {
    kind: 'issue',
    externalId,
    title: requiredText(row, 'Title'),
    description: textIn(row, 'Description') ?? '',
    status: canceled ? 'Closed' : completed ? 'Resolved' : instantIn(row, 'Started') ? 'InProgress' : 'Open',
    paused: false,
    priority: PRIORITIES_OF_LINEAR.get((textIn(row, 'Priority') ?? '').toLowerCase()) ?? 'none',
    agent: textIn(row, 'Assignee'),
    assignee: textIn(row, 'Assignee'),
    goal,
    labels: namesIn(row, 'Labels'),
    createdBy: user(textIn(row, 'Creator')),
    createdAt: instantIn(row, 'Created'),
    updatedAt: instantIn(row, 'Updated'),
    startedAt: instantIn(row, 'Started'),
    resolvedAt: canceled ? null : completed,
    closedAt: canceled,
  };
  const items: ImportItem[] = goal
    ? [{ kind: 'goal', externalId: goal, title: project!, description: '' }, issue]
    : [issue];
  for (const [column, linkType, direction] of LINKS)
    for (const other of namesIn(row, column)) {
      const [source, target] =
        direction === 'to' ? [`linear:${other}`, externalId] : [externalId, `linear:${other}`];
      items.push({
        kind: 'link',
        linkType,
        source,
        target,
        holdsParent: true,
        createdBy: user(null),
        createdAt: null,
      });
    }
  const ignored = [
    ...unknownFields(row, COLUMNS_OF_LINEAR).map((column) => `column ${column}`),
    ...unreadableTimes(row, ['Created', 'Updated', 'Started', 'Completed', 'Canceled']),
  ];
  return { items, ignored };
}

function namesIn(row: Fields, column: string): string[] {
  const text = textIn(row, column);
  return text === null
    ? []
    : text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '');
}
