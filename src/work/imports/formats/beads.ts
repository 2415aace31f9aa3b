import type { Priority } from '../../issue-status/issue-status.js';
import {
  type Fields,
  type ImportItem,
  instantIn,
  isFields,
  type IssueItem,
  listIn,
  type MappedRecord,
  requiredText,
  textIn,
  unknownFields,
  user,
} from './import-item.js';

/** Beads counts from 0, the most urgent, to 4. */
const PRIORITIES: readonly Priority[] = ['urgent', 'high', 'medium', 'low', 'none'];

/** Kinds of dependencies that say nothing of blocking are relations here. */
const LINKS: Record<string, 'Blocks' | 'Child' | 'RelatedTo' | 'DuplicateOf'> = {
  blocks: 'Blocks',
  'conditional-blocks': 'Blocks',
  'parent-child': 'Child',
  related: 'RelatedTo',
  'relates-to': 'RelatedTo',
  'discovered-from': 'RelatedTo',
  duplicates: 'DuplicateOf',
};

/** Texts of an issue that have a section of the description each. */
const SECTIONS = [
  ['design', 'Design'],
  ['acceptance_criteria', 'Acceptance criteria'],
  ['notes', 'Notes'],
  ['close_reason', 'Close reason'],
] as const;

const KNOWN = new Set([
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
    priority: PRIORITIES[typeof record['priority'] === 'number' ? record['priority'] : 0] ?? 'none',
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
  const ignored = unknownFields(record, KNOWN);
  for (const dependency of listIn(record, 'dependencies').filter(isFields)) {
    const linkType = LINKS[textIn(dependency, 'type') ?? ''];
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
