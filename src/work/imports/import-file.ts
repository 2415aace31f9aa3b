import { type ImportError, type ImportFormat, MOST_ERRORS } from './import.entity.js';
import type { AttachmentStore } from '../attachments/attachment-store.js';
import { HEADER_BYTES, isArchive, LINES_FILE, linesIn } from './formats/awp.js';
import type { ImportItem } from './formats/import-items.js';
import { fitItem, shortened } from './formats/item-limits.js';
import { readRecords } from './formats/read-records.js';
import type { Placed } from './import-issues.service.js';

/** The most issues of one import (contract §5.12). */
export const MOST_ISSUES = 100_000;
/** The most different things and names that a report counts one by one. */
const MOST_NAMES = 1_000;
/** By pass. Links hold the lock of the blocking graph until their batch commits, and others wait at most 3 seconds for it. */
const ITEMS_PER_BATCH = [200, 50, 200, 200] as const;
/** The most bytes of the records of a file, and the most attachments of an archive, whose names are held in memory. */
export const MOST_RECORD_BYTES = 1_073_741_824;
const MOST_ATTACHMENTS = 100_000;
/** The pass that brings attachments, which only an archive has. */
export const ATTACHING = 2;
export const PASSES = 4;

/**
 * What is read in which pass. Links, comments, code, schedules and attachments need their issues. Assignments come last: an agent begins with
 * what it has.
 */
const KINDS_OF_PASS: readonly (readonly ImportItem['kind'][])[] = [
  ['goal', 'label', 'issue'],
  ['link', 'comment', 'code', 'schedule'],
  ['attachment'],
  ['issue'],
];

/** What a file has in it, before anything of it is written. */
export interface FileSurvey {
  /** The objects that passes write. */
  total: number;
  /** Records that say nothing, and what had to be changed to be stored. */
  errors: ImportError[];
  skipped: number;
  /** How often the file has something that no field here can hold. */
  ignored: Map<string, number>;
  /** How often each name is assigned something. */
  people: Map<string, number>;
  /** Why the file cannot be imported at all. */
  failure: string | null;
}

/** A part of a file for one transaction: whole records, up to the one with the number `end`. */
export interface Batch {
  items: Placed[];
  end: number;
  isLast: boolean;
}

/** Its message says why nothing of the file can be imported. */
class Unreadable extends Error {}

/**
 * Reads a whole file and counts. Memory does not depend on its size.
 * @param hasFiles whether the bytes of attachments are there, too
 */
export async function surveyOf(
  format: ImportFormat,
  bytes: AsyncIterable<Buffer>,
  hasFiles = false,
): Promise<FileSurvey> {
  const survey: FileSurvey = {
    total: 0,
    errors: [],
    skipped: 0,
    ignored: new Map(),
    people: new Map(),
    failure: null,
  };
  try {
    await readInto(survey, format, bytes, hasFiles);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    survey.failure = error.message;
  }
  return survey;
}

/** @throws {Unreadable} for bytes that are not UTF-8, whose names would be stored as question marks, and for too many */
async function* checked(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const check = (chunk?: Buffer) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new Unreadable('The file is not in UTF-8; convert it first.');
    }
  };
  for await (const chunk of bytes) {
    check(chunk);
    size += chunk.length;
    if (size > MOST_RECORD_BYTES)
      throw new Unreadable(`The records have more than ${MOST_RECORD_BYTES} bytes; divide them.`);
    yield chunk;
  }
  check();
}

async function readInto(
  survey: FileSurvey,
  format: ImportFormat,
  bytes: AsyncIterable<Buffer>,
  hasFiles: boolean,
): Promise<void> {
  let issues = 0;
  let attachments = 0;
  const report = ({ line, message }: ImportError) => {
    if (survey.errors.length < MOST_ERRORS) survey.errors.push({ line, message: shortened(message) });
  };
  let last = 1;
  let isWhole = format !== 'awp';
  for await (const record of readRecords(format, checked(bytes))) {
    const { line } = record;
    last = line;
    if ('error' in record) {
      report({ line, message: `left out: the record ${record.error}` });
      survey.skipped += 1;
      continue;
    }
    if (record.mapped.isEnd) isWhole = true;
    for (const what of record.mapped.ignored) count(survey.ignored, shortened(what));
    for (const one of record.mapped.items) {
      const { item, changes } = fitItem(one);
      for (const message of changes) report({ line, message });
      if (item?.kind === 'attachment' && !hasFiles) {
        count(survey.ignored, 'attachment: its bytes are not in the file');
        continue;
      }
      if (!item) survey.skipped += 1;
      else survey.total += 1;
      if (item?.kind === 'attachment') attachments += 1;
      const named = item?.kind === 'schedule' ? item.template : item;
      if (!named || !('assignee' in named)) continue;
      if (item?.kind === 'issue') issues += 1;
      for (const name of new Set([named.agent, named.assignee]))
        if (name !== null) count(survey.people, name);
    }
    if (attachments > MOST_ATTACHMENTS) {
      survey.failure = `The archive has more than ${MOST_ATTACHMENTS} attachments; import its ${LINES_FILE} alone.`;
      return;
    }
    if (issues > MOST_ISSUES) {
      survey.failure = `The file has more than ${MOST_ISSUES} issues; divide it.`;
      return;
    }
  }
  if (!isWhole) report({ line: last, message: 'the export has no line of the kind end: it is not whole' });
  if (survey.total === 0 && survey.skipped > 0)
    survey.failure = `No record of the file can be read as ${format}; the first one ${survey.errors[0]?.message ?? 'is empty'}.`;
}

function count(counts: Map<string, number>, name: string): void {
  const key = counts.has(name) || counts.size < MOST_NAMES ? name : 'others';
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/**
 * Reads what a pass writes, from the record with the number `from` on. The last batch says so, and may be empty: it moves the import on
 * to the next pass.
 */
export async function* batchesOf(
  format: ImportFormat,
  bytes: AsyncIterable<Buffer>,
  pass: number,
  from: number,
): AsyncGenerator<Batch> {
  const kinds = KINDS_OF_PASS[pass]!;
  let end = 0;
  let items: Placed[] = [];
  for await (const record of readRecords(format, bytes)) {
    end += 1;
    if (end <= from || 'error' in record) continue;
    for (const one of record.mapped.items) {
      if (!kinds.includes(one.kind)) continue;
      const { item } = fitItem(one);
      if (item) items.push({ line: record.line, item });
    }
    if (items.length < ITEMS_PER_BATCH[pass]!) continue;
    yield { items, end, isLast: false };
    items = [];
  }
  yield { items, end, isLast: true };
}

/** The file of an import in the store: its records, or an archive that has them and the bytes of attachments. */
export class StoredFile {
  private archive: boolean | null = null;

  constructor(
    private readonly store: AttachmentStore,
    private readonly id: string,
    private readonly format: ImportFormat,
  ) {}

  /** Only an export of this service comes as an archive. */
  async isArchive(): Promise<boolean> {
    return (this.archive ??= this.format === 'awp' && isArchive(await this.beginning()));
  }

  /** The bytes of the file as they are. */
  whole = (): Promise<AsyncIterable<Buffer>> =>
    this.store.read(this.id, { start: 0, end: Number.MAX_SAFE_INTEGER });

  /** The bytes of its records. @throws {ArchiveDamaged} while they are read */
  async records(): Promise<AsyncIterable<Buffer>> {
    const isInside = await this.isArchive();
    const bytes = await this.whole();
    return isInside ? linesIn(bytes) : bytes;
  }

  private async beginning(): Promise<Buffer> {
    const parts: Buffer[] = [];
    const bytes: AsyncIterable<Buffer> = await this.store.read(this.id, { start: 0, end: HEADER_BYTES - 1 });
    for await (const part of bytes) parts.push(part);
    return Buffer.concat(parts);
  }
}
