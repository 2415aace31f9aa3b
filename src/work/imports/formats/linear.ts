import type { Priority } from '../../issue-status/issue-status.js';
import {
  type Fields,
  type ImportItem,
  instantIn,
  type IssueItem,
  type MappedRecord,
  requiredText,
  textIn,
  unknownFields,
  user,
} from './import-item.js';

const KNOWN = new Set([
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

const PRIORITIES: Record<string, Priority> = { urgent: 'urgent', high: 'high', medium: 'medium', low: 'low' };

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
    priority: PRIORITIES[(textIn(row, 'Priority') ?? '').toLowerCase()] ?? 'none',
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
  return { items, ignored: unknownFields(row, KNOWN).map((column) => `column ${column}`) };
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
