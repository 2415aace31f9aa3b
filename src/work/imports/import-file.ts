import type { ImportError, ImportFormat } from './import.entity.js';
import { fitItem, type ImportItem } from './formats/import-items-and-limits.js';
import { readRecords } from './formats/read-records.js';
import type { Placed } from './import-issues.service.js';

/** The most issues of one import (contract §5.12). */
export const MOST_ISSUES = 100_000;
/** The most different things and names that a report counts one by one. */
const MOST_NAMES = 1_000;
/** By pass. Links hold the lock of the blocking graph until their batch commits, and others wait at most 3 seconds for it. */
const ITEMS_PER_BATCH = [200, 50, 200] as const;

/** What is read in which pass. Links, comments, code and schedules need their issues, and assignments need the links. */
const KINDS_OF_PASS: readonly (readonly ImportItem['kind'][])[] = [
  ['goal', 'label', 'issue'],
  ['link', 'comment', 'code', 'schedule'],
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

const MOST_ERRORS = 1_000;

/** Reads a whole file and counts. Memory does not depend on its size. */
export async function surveyOf(format: ImportFormat, bytes: AsyncIterable<Buffer>): Promise<FileSurvey> {
  const survey: FileSurvey = {
    total: 0,
    errors: [],
    skipped: 0,
    ignored: new Map(),
    people: new Map(),
    failure: null,
  };
  let issues = 0;
  const report = (error: ImportError) => {
    if (survey.errors.length < MOST_ERRORS) survey.errors.push(error);
  };
  for await (const record of readRecords(format, bytes)) {
    const { line } = record;
    if ('error' in record) {
      report({ line, message: `left out: the record ${record.error}` });
      survey.skipped += 1;
      continue;
    }
    for (const what of record.mapped.ignored) count(survey.ignored, what);
    for (const one of record.mapped.items) {
      const { item, changes } = fitItem(one);
      for (const message of changes) report({ line, message });
      if (!item) survey.skipped += 1;
      else survey.total += 1;
      const named = item?.kind === 'schedule' ? item.template : item;
      if (!named || !('assignee' in named)) continue;
      if (item?.kind === 'issue') issues += 1;
      for (const name of new Set([named.agent, named.assignee]))
        if (name !== null) count(survey.people, name);
    }
    if (issues > MOST_ISSUES) {
      survey.failure = `The file has more than ${MOST_ISSUES} issues; divide it.`;
      return survey;
    }
  }
  if (survey.total === 0 && survey.skipped > 0)
    survey.failure = `No record of the file can be read as ${format}; the first one ${survey.errors[0]?.message ?? 'is empty'}.`;
  return survey;
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
