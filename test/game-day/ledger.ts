import { createHash } from 'node:crypto';
import type { Caller } from '../support/caller.js';

/** What was acknowledged with 200 or 201: each has to be there at the end. */
export class Ledger {
  /** The ids of issues and comments by the mark of the one request that made them: title or content. */
  readonly issues = new Map<string, string>();
  readonly comments = new Map<string, string>();
  /** Ids of issues that an agent finished. */
  readonly finished = new Set<string>();
  /** The SHA-256 of the bytes by the id of the attachment. */
  readonly attachments = new Map<string, string>();
  /** Requests that were sent again after they had been acknowledged, and what differed in their second answer. */
  readonly repeated: { mark: string; differs: string | null }[] = [];

  get size(): number {
    return this.issues.size + this.comments.size + this.finished.size + this.attachments.size;
  }

  /** A copy of what is acknowledged by now, to compare another installation with. */
  snapshot(): Ledger {
    const copy = new Ledger();
    for (const [mark, id] of this.issues) copy.issues.set(mark, id);
    for (const [mark, id] of this.comments) copy.comments.set(mark, id);
    for (const id of this.finished) copy.finished.add(id);
    for (const [id, hash] of this.attachments) copy.attachments.set(id, hash);
    copy.repeated.push(...this.repeated);
    return copy;
  }
}

export const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** A database as far as it is read here. */
interface Sql {
  sql<Row>(text: string): Promise<Row[]>;
}

/** What an installation has, as far as the ledger speaks of it. */
export interface Stored {
  issues: { id: string; mark: string; status: string }[];
  comments: { id: string; mark: string }[];
  /** The ids of attachments with the SHA-256 that the database has of their bytes. */
  attachments: { id: string; hash: string }[];
}

/** Reads that of one project. */
export async function storedIn(database: Sql, projectId: string): Promise<Stored> {
  const ofProject = `IN (SELECT id FROM issues WHERE project_id = '${projectId}')`;
  return {
    issues: await database.sql(
      `SELECT id, title AS mark, status FROM issues WHERE project_id = '${projectId}'`,
    ),
    comments: await database.sql(`SELECT id, content AS mark FROM comments WHERE issue_id ${ofProject}`),
    attachments: await database.sql(`SELECT id, sha256 AS hash FROM attachments WHERE issue_id ${ofProject}`),
  };
}

/** What a comparison has found. All are empty where nothing is lost. */
export interface Findings {
  lost: string[];
  doubled: string[];
}

/** Compares what was acknowledged with what is stored. */
export function compare(ledger: Ledger, stored: Stored): Findings {
  const status = new Map(stored.issues.map((issue) => [issue.id, issue.status]));
  const comments = new Set(stored.comments.map(({ id }) => id));
  const bytes = new Map(stored.attachments.map(({ id, hash }) => [id, hash]));
  const lost = [
    ...missing('issue', [...ledger.issues.values()], status),
    ...missing('comment', [...ledger.comments.values()], comments),
    ...[...ledger.finished]
      .filter((id) => status.get(id) !== 'Resolved')
      .map((id) => `the end of issue ${id}, which is ${status.get(id) ?? 'missing'}`),
    ...[...ledger.attachments]
      .filter(([id, hash]) => bytes.get(id) !== hash)
      .map(([id]) => `attachment ${id}`),
  ];
  const repeated = ledger.repeated.flatMap(({ mark, differs }) =>
    differs === null ? [] : [`${mark}: ${differs}`],
  );
  return { lost, doubled: [...twice(stored.issues), ...twice(stored.comments), ...repeated] };
}

function missing(kind: string, ids: string[], present: { has(id: string): boolean }): string[] {
  return ids.filter((id) => !present.has(id)).map((id) => `${kind} ${id}`);
}

/** A mark belongs to one request, so that two rows with it are one write that happened twice. */
function twice(rows: { mark: string }[]): string[] {
  const marks = rows.map(({ mark }) => mark);
  return [...new Set(marks.filter((mark, at) => marks.indexOf(mark) !== at))].map(
    (mark) => `${mark}: stored twice`,
  );
}

/** Reads each acknowledged attachment over HTTP, and returns those whose bytes are not the ones that were sent. */
export async function unreadable(caller: Caller, ledger: Ledger): Promise<string[]> {
  const wrong: string[] = [];
  for (const [id, hash] of ledger.attachments) {
    const { status, bytes } = await caller.get(`/api/projects/attachments/${id}/download`);
    if (status !== 200 || hashOf(bytes) !== hash)
      wrong.push(`the bytes of attachment ${id}, answered with ${status}`);
  }
  return wrong;
}
