import type { CheckState, CodeKind, CodeState } from './code.entity.js';

/**
 * Which push comes after which, by its commits: not all code hosts say when a push was, and the time of a commit is that of
 * its author, who may push an older one.
 */
export interface PushOrder {
  /** The head that the push replaced; null where it made the branch. */
  follows: string | null;
  isFirst: boolean;
}

/** What a delivery reports about a branch, commit or pull request. */
export interface ItemNews {
  kind: CodeKind;
  url: string;
  title: string;
  state: CodeState;
  headSha: string | null;
  /** null leaves the present one. */
  author: string | null;
  /** When the code host changed it; null where the delivery does not say. */
  at: Date | null;
  /** What a push says of the heads of its branch; null for anything else, and where `at` is by the clock of the code host. */
  order: PushOrder | null;
  /** The name of its branch, in which keys are found in any case; null where it has none. */
  branch: string | null;
  /** Titles and bodies in which keys are found. */
  texts: string[];
  /** Which of them only people who may write in the repository can write. */
  trusted: { branch: boolean; texts: boolean };
}

/** What a delivery reports about one check of a commit. */
export interface CheckNews {
  sha: string;
  name: string;
  state: Exclude<CheckState, 'none'>;
  at: Date | null;
}

/** What a delivery reports, in the terms of the service. */
export interface CodeNews {
  /** The address of the repository, as the code host writes it. */
  repository: string;
  items: ItemNews[];
  checks: CheckNews[];
}

/** The most commits of a push that are read: a code host names up to 2,048. */
export const MOST_COMMITS = 100;

/** The member at a path of a parsed payload; undefined where it is not there. */
export function at(payload: unknown, ...path: string[]): unknown {
  let value = payload;
  for (const name of path)
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined;
  return value;
}

/** A text of a payload, without what PostgreSQL cannot store; null for anything else. */
export function textAt(payload: unknown, ...path: string[]): string | null {
  const value = at(payload, ...path);
  return typeof value === 'string' ? wellFormed(value.replaceAll('\0', '')) : null;
}

/** The most characters of the name of a check, which is part of the key of its row. */
const LONGEST_CHECK_NAME = 300;

/** Names a check by what its code host says of it, cut to what a key of the database holds. */
export function checkName(kind: string, ...parts: (string | null)[]): string {
  return cut([kind, ...parts].join(':'), LONGEST_CHECK_NAME);
}

/** An id of a payload as text, which some code hosts write as a number; null for anything else. */
export function idAt(payload: unknown, ...path: string[]): string | null {
  const value = at(payload, ...path);
  return typeof value === 'number' ? String(value) : textAt(payload, ...path);
}

/** Half of a character at the end would not be text. */
export function cut(text: string, most: number): string {
  return wellFormed(text.slice(0, most));
}

/** Half of a character is no text. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\u{FFFD}');
}

export function listAt(payload: unknown, ...path: string[]): unknown[] {
  const value = at(payload, ...path);
  return Array.isArray(value) ? value : [];
}

/** An instant of a payload; one in the future would silence all later deliveries, and counts as now. */
export function instantAt(payload: unknown, ...path: string[]): Date | null {
  const value = at(payload, ...path);
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  // A number has the seconds since 1970.
  const instant = new Date(typeof value === 'number' ? value * 1_000 : value);
  if (Number.isNaN(instant.getTime())) return null;
  return new Date(Math.max(0, Math.min(instant.getTime(), Date.now())));
}

const SHA = /^[0-9a-f]{7,64}$/;
const NO_COMMIT = /^0+$/;

/** The id of a commit; null for anything else, and for the zeros of a branch that is gone. */
export function shaAt(payload: unknown, ...path: string[]): string | null {
  const value = at(payload, ...path);
  return typeof value === 'string' && SHA.test(value) && !NO_COMMIT.test(value) ? value : null;
}

/** The first line of a message, as a title. */
export function firstLine(text: string): string {
  return text.split('\n', 1)[0]!.trim();
}

/** Says what a push of GitLab or Gitea has of its order: the heads of its branch, and the time of its newest commit. */
export function orderOfPush(payload: unknown): Pick<ItemNews, 'at' | 'order'> {
  const head = shaAt(payload, 'after');
  const order = {
    follows: shaAt(payload, 'before'),
    isFirst: NO_COMMIT.test(textAt(payload, 'before') ?? ''),
  };
  // The end of a branch has no commit, so that it counts from when it is heard of.
  if (head === null) return { at: new Date(), order };
  const newest = listAt(payload, 'commits').findLast((commit) => at(commit, 'id') === head);
  return { at: instantAt(newest, 'timestamp'), order };
}
