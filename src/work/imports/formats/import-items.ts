import type { CodeState } from '../../code/code.entity.js';
import type { LabelColor } from '../../issue-status/issue-row-and-references.js';
import type { Priority, Status } from '../../issue-status/issue-status.js';
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
  /** What version 0.11.0 called it. */
  formerId?: string;
}

/** A file on an issue. An archive has its bytes. */
export interface AttachmentItem {
  kind: 'attachment';
  externalId: string;
  /** The external id of its issue. */
  issue: string;
  filename: string;
  contentType: string;
  /** In hex; null where the file does not say it. */
  sha256: string | null;
  createdBy: NamedAuthor;
  createdAt: string | null;
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
export type ImportItem =
  | GoalItem
  | LabelItem
  | IssueItem
  | LinkItem
  | CommentItem
  | AttachmentItem
  | CodeItem
  | ScheduleItem;

/** What a record of a file says. `ignored` names what no field of this service can hold. */
export interface MappedRecord {
  items: ImportItem[];
  ignored: string[];
  /** Whether it is the last record of a file that is whole. */
  isEnd?: boolean;
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
  return text === null ? null : isoOf(dateOf(text));
}

/** Names the fields that say something and are no time, for the report. */
export function unreadableTimes(record: Fields, names: readonly string[]): string[] {
  return names
    .filter((name) => textIn(record, name) !== null && instantIn(record, name) === null)
    .map((name) => `${name} that is no time`);
}

const DAY_ALONE = /^\d{4}-\d{2}-\d{2}$/;
const ZONE = /(?:Z|UTC|GMT|[ECMP][SD]T|[+-]\d{2}(?::?\d{2})?)(?:\s*\(.*\))?$/i;

/** JavaScript reads a time without a zone as one of the machine. Here it is one of UTC. */
function dateOf(text: string): Date {
  const written = text.trim();
  if (DAY_ALONE.test(written) || ZONE.test(written)) return new Date(written);
  const at = new Date(`${written}Z`);
  return Number.isNaN(at.getTime()) ? new Date(`${written} UTC`) : at;
}

/** Returns null for a time that no work here can have: the database takes years of four digits, and an import comes from the past. */
export function isoOf(at: Date): string | null {
  const year = at.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? at.toISOString() : null;
}

/** The most values of one list. More of them would be one transaction that keeps others waiting. */
const MOST_VALUES = 5_000;

/** @throws {UnreadableRecord} for a list that is too long */
export function listIn(record: Fields, name: string): unknown[] {
  const value = record[name];
  if (!Array.isArray(value)) return [];
  if (value.length > MOST_VALUES) throw new UnreadableRecord(`has more than ${MOST_VALUES} ${name}`);
  return value;
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
