import { cutToBytes } from '../../../platform/http/text-and-instant-rules.js';
import type { CodeState } from '../../code/code.entity.js';
import type { LabelColor } from '../../issue-status/issue-row-and-references.js';
import type { Priority, Status } from '../../issue-status/issue-status.js';
import { LABELS_PER_ISSUE } from '../../labels/issue-labels.service.js';
import type { StoredLinkType } from '../../links/issue-link.entity.js';
import type { Policy } from '../../schedules/schedule.entity.js';

/** Who wrote something elsewhere, by name: no account here stands behind it. */
export interface NamedAuthor {
  type: 'user' | 'agent' | 'system';
  name: string;
}

export interface GoalItem {
  kind: 'goal';
  externalId: string;
  title: string;
  description: string;
}

export interface LabelItem {
  kind: 'label';
  name: string;
  color?: LabelColor | undefined;
  description?: string | undefined;
}

export interface IssueItem {
  kind: 'issue';
  externalId: string;
  title: string;
  description: string;
  /** WaitingOnDependency is Open: what blocks an issue decides that here. */
  status: Exclude<Status, 'WaitingOnDependency'>;
  paused: boolean;
  priority: Priority;
  /** The name of the agent that it is assigned to. */
  agent: string | null;
  /** The name of the person that it is assigned to. */
  assignee: string | null;
  /** The external id of its goal. */
  goal: string | null;
  labels: string[];
  createdBy: NamedAuthor;
  createdAt: string | null;
  updatedAt: string | null;
  startedAt: string | null;
  resolvedAt: string | null;
  closedAt: string | null;
}

/** `source` and `target` are external ids. A Child is a part of its target. */
export interface LinkItem {
  kind: 'link';
  linkType: StoredLinkType | 'Child';
  source: string;
  target: string;
  holdsParent: boolean;
  createdBy: NamedAuthor;
  createdAt: string | null;
}

export interface CommentItem {
  kind: 'comment';
  externalId: string;
  /** The external id of its issue. */
  issue: string;
  content: string;
  createdBy: NamedAuthor;
  createdAt: string | null;
  updatedAt: string | null;
}

/** A branch, commit or pull request of an issue. */
export interface CodeItem {
  kind: 'code';
  /** The external id of its issue. */
  issue: string;
  url: string;
  title: string;
  state: CodeState;
  author: string | null;
  counts: boolean;
  createdBy: NamedAuthor;
  createdAt: string | null;
}

/** A schedule. Its template names issues and its goal by their external ids. */
export interface ScheduleItem {
  kind: 'schedule';
  name: string;
  cron: string;
  timeZone: string;
  policy: Policy;
  template: {
    title: string;
    description: string;
    priority: Priority;
    agent: string | null;
    assignee: string | null;
    goal: string | null;
    labels: string[];
    parent: string | null;
    holdsParent: boolean;
    blockedBy: string[];
  };
}

/** One object that an import makes or updates. */
export type ImportItem = GoalItem | LabelItem | IssueItem | LinkItem | CommentItem | CodeItem | ScheduleItem;

/** What a record of a file says. `ignored` names what no field of this service can hold. */
export interface MappedRecord {
  items: ImportItem[];
  ignored: string[];
}

/** Turns one record of a format into items. @throws {UnreadableRecord} */
export type RecordMapper = (record: Fields) => MappedRecord;

export type Fields = Record<string, unknown>;

/** A record that says too little to make anything of it. Its message is for the report. */
export class UnreadableRecord extends Error {}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a text that is not empty, or null. Numbers count as texts: an id may be one. */
export function textIn(record: Fields, name: string): string | null {
  const value = record[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** @throws {UnreadableRecord} without such a text */
export function requiredText(record: Fields, name: string): string {
  const text = textIn(record, name);
  if (text === null) throw new UnreadableRecord(`has no ${name}`);
  return text;
}

/** Returns an instant as ISO 8601 in UTC, or null where the value is none. */
export function instantIn(record: Fields, name: string): string | null {
  const text = textIn(record, name);
  if (text === null) return null;
  const at = new Date(text);
  // The database takes years of four digits, and an import comes from the past.
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1970 || at.getUTCFullYear() > 9999
    ? null
    : at.toISOString();
}

export function listIn(record: Fields, name: string): unknown[] {
  const value = record[name];
  return Array.isArray(value) ? value : [];
}

/** Returns the names of fields that say something and are not among `known`. */
export function unknownFields(record: Fields, known: ReadonlySet<string>): string[] {
  return Object.entries(record)
    .filter(([name, value]) => !known.has(name) && saysSomething(value))
    .map(([name]) => name);
}

function saysSomething(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '' || value === 0) return false;
  return Array.isArray(value) ? value.length > 0 : true;
}

export const user = (name: string | null): NamedAuthor => ({ type: 'user', name: name ?? 'unknown' });

const TITLE_MOST = 500;
const NAME_MOST = 200;
const LABEL_MOST = 64;
const TEXT_MAX_BYTES = 65_536;
const EXTERNAL_ID_MOST = 500;

/** An item that can be stored, with what had to be changed for that, or null where nothing can be stored. */
export interface FittedItem {
  item: ImportItem | null;
  changes: string[];
}

/** Brings the texts of an item within the limits of this service (contract §1.4), and says what that took away. */
export function fitItem(item: ImportItem): FittedItem {
  const fit = new Fit();
  if ('externalId' in item && item.externalId.length > EXTERNAL_ID_MOST)
    return {
      item: null,
      changes: [`${item.kind} left out: its id has more than ${EXTERNAL_ID_MOST} characters`],
    };
  switch (item.kind) {
    case 'goal':
      return fit.done({
        ...item,
        title: fit.line('title', item.title, TITLE_MOST),
        description: fit.text('description', item.description),
      });
    case 'label':
      return fit.label(item.name) === null
        ? fit.done(null)
        : fit.done({ ...item, name: fit.label(item.name)! });
    case 'issue':
      return fit.done({
        ...item,
        title: fit.line('title', item.title, TITLE_MOST),
        description: fit.text('description', item.description),
        labels: fit.labels(item.labels),
        createdBy: { ...item.createdBy, name: fit.line('author', item.createdBy.name, NAME_MOST) },
      });
    case 'comment': {
      const content = fit.text('comment', item.content);
      if (content === '') return fit.done(null, 'comment left out: it is empty');
      return fit.done({
        ...item,
        content,
        createdBy: { ...item.createdBy, name: fit.line('author', item.createdBy.name, NAME_MOST) },
      });
    }
    case 'code':
      return fit.done({
        ...item,
        title: fit.line('title', item.title, TITLE_MOST),
        author: item.author && fit.line('author', item.author, NAME_MOST),
        createdBy: { ...item.createdBy, name: fit.line('author', item.createdBy.name, NAME_MOST) },
      });
    case 'schedule':
      return fit.done({
        ...item,
        name: fit.line('name', item.name.replaceAll(/\p{Cc}+/gu, ' '), NAME_MOST),
        template: {
          ...item.template,
          title: fit.line('title', item.template.title, TITLE_MOST),
          description: fit.text('description', item.template.description),
          labels: fit.labels(item.template.labels),
        },
      });
    case 'link':
      return fit.done({
        ...item,
        createdBy: { ...item.createdBy, name: fit.line('author', item.createdBy.name, NAME_MOST) },
      });
  }
}

class Fit {
  private readonly changes: string[] = [];

  done(item: ImportItem | null, change?: string): FittedItem {
    return { item, changes: change === undefined ? this.changes : [...this.changes, change] };
  }

  /** The title or name, trimmed. */
  line(what: string, text: string, most: number): string {
    const points = [...storable(text).trim()];
    if (points.length <= most) return points.join('');
    this.changes.push(`${what} cut to ${most} characters`);
    return points.slice(0, most).join('').trim();
  }

  text(what: string, text: string): string {
    const whole = storable(text);
    if (Buffer.byteLength(whole) <= TEXT_MAX_BYTES) return whole;
    this.changes.push(`${what} cut to ${TEXT_MAX_BYTES} bytes`);
    return cutToBytes(whole, TEXT_MAX_BYTES);
  }

  /** Returns null for a name that no label may have. */
  label(name: string): string | null {
    const points = [
      ...storable(name)
        .replaceAll(/\p{Cc}+/gu, ' ')
        .trim(),
    ];
    if (points.length > 0 && points.length <= LABEL_MOST) return points.join('');
    this.changes.push(`label left out: its name has not 1 to ${LABEL_MOST} characters`);
    return null;
  }

  labels(names: readonly string[]): string[] {
    const byName = new Map<string, string>();
    for (const name of names) {
      const fitting = this.label(name);
      if (fitting !== null) byName.set(fitting.toLowerCase(), fitting);
    }
    const all = [...byName.values()];
    if (all.length > LABELS_PER_ISSUE)
      this.changes.push(
        `${all.length - LABELS_PER_ISSUE} labels left out: an issue has at most ${LABELS_PER_ISSUE}`,
      );
    return all.slice(0, LABELS_PER_ISSUE);
  }
}

/** Text without what PostgreSQL cannot store or UTF-8 cannot express. */
const storable = (text: string) => text.replaceAll(/\0|\p{Surrogate}/gu, '\uFFFD');
