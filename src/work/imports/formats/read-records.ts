import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import type { ImportFormat } from '../import.entity.js';
import { fromAwp } from './awp.js';
import { fromBeads, fromGithub } from './github-and-beads.js';
import {
  type Fields,
  isFields,
  type MappedRecord,
  type RecordMapper,
  UnreadableRecord,
} from './import-items.js';
import { fromJira, fromLinear } from './jira-and-linear.js';

/** The most bytes of one record: 64 KiB of description and some hundred comments. */
const RECORD_MAX_BYTES = 16 * 1024 * 1024;

/** One record of a file as its text, or as the row of a table, or why there is none, and the line that it begins in. */
type RawRecord = { line: number } & ({ text: string } | { record: Fields } | { error: string });

/** What a record of a file says, or why it says nothing. */
export type ReadRecord = { line: number } & ({ mapped: MappedRecord } | { error: string });

type RecordReader = (bytes: AsyncIterable<Buffer>) => AsyncGenerator<RawRecord>;

const READERS: Record<ImportFormat, { split: RecordReader; map: RecordMapper }> = {
  awp: { split: linesOf, map: fromAwp },
  beads: { split: linesOf, map: fromBeads },
  github: { split: objectsOf, map: fromGithub },
  linear: { split: (bytes) => rowsOf(bytes, RECORD_MAX_BYTES), map: fromLinear },
  jira: { split: (bytes) => rowsOf(bytes, RECORD_MAX_BYTES), map: fromJira },
};

/** Reads a file record by record. An invalid record is one with an error, and the next one is read all the same. */
export async function* readRecords(
  format: ImportFormat,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<ReadRecord> {
  const { split, map } = READERS[format];
  for await (const raw of split(bytes)) {
    const read = 'text' in raw ? { line: raw.line, ...parsed(raw.text) } : raw;
    yield 'error' in read ? read : { line: read.line, ...mappedBy(map, read.record) };
  }
}

/** A pair of backslashes, a pair of surrogates, and what PostgreSQL cannot store: NUL and a surrogate without its other half. */
const ESCAPES = /\\(?:\\|u(?:0000|d[89ab][0-9a-f]{2}(\\ud[c-f][0-9a-f]{2})?|d[c-f][0-9a-f]{2}))/gi;

/** JSON without escapes of what cannot be stored. Names of fields and ids may have them as much as texts. */
const storableJson = (text: string) =>
  text.replace(ESCAPES, (escape, low?: string) => (escape === '\\\\' || low ? escape : '\\ufffd'));

function parsed(text: string): { record: Fields } | { error: string } {
  try {
    const value: unknown = JSON.parse(storableJson(text));
    return isFields(value) ? { record: value } : { error: 'is not a JSON object' };
  } catch {
    // The report names the record; what the parser says of it holds a part of its text.
    return { error: 'is not valid JSON' };
  }
}

function mappedBy(map: RecordMapper, record: Fields): { mapped: MappedRecord } | { error: string } {
  try {
    return { mapped: map(record) };
  } catch (error) {
    if (error instanceof UnreadableRecord) return { error: error.message };
    throw error;
  }
}

const NEWLINE = 0x0a;

/** Splits JSON Lines. Empty lines are no records. */
export async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<RawRecord> {
  let line = 1;
  const record = new RecordBytes();
  for await (const chunk of bytes) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      record.add(chunk.subarray(from, at));
      yield* record.take(line);
      line += 1;
      from = at + 1;
    }
    record.add(chunk.subarray(from));
  }
  yield* record.take(line);
}

/**
 * Splits JSON arrays of objects, one after the other, as `gh api --paginate` writes them: finds the objects that no other object
 * surrounds, without parsing them. Text between them but brackets, commas and spaces is an error.
 */
export async function* objectsOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<RawRecord> {
  let line = 1;
  let first = 1;
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  let isStray = false;
  const record = new RecordBytes();
  for await (const chunk of bytes) {
    let from = depth > 0 ? 0 : -1;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (byte === NEWLINE) line += 1;
      if (isEscaped) isEscaped = false;
      else if (isString && byte === 0x5c) isEscaped = true;
      else if (depth > 0 && byte === 0x22) isString = !isString;
      else if (isString) continue;
      else if (byte === 0x7b) {
        if (depth === 0) [from, first] = [at, line];
        depth += 1;
      } else if (byte === 0x7d && depth > 0) {
        depth -= 1;
        if (depth > 0) continue;
        record.add(chunk.subarray(from, at + 1));
        from = -1;
        yield* record.take(first);
      } else if (depth === 0 && !isStray && !isBetween(byte)) {
        isStray = true;
        yield { line, error: 'is not part of a JSON array of objects' };
      }
    }
    if (from !== -1) record.add(chunk.subarray(from));
  }
  if (depth > 0) yield { line: first, error: 'ends in the middle of an object' };
}

/** Spaces, brackets, commas, and the mark that some editors begin a file with. */
const isBetween = (byte: number) =>
  [0x20, 0x09, 0x0a, 0x0d, 0x5b, 0x5d, 0x2c, 0xef, 0xbb, 0xbf].includes(byte);

/** The bytes of the record that is being read. One that is too long is not kept. */
class RecordBytes {
  private parts: Buffer[] = [];
  private size = 0;

  add(part: Buffer): void {
    this.size += part.length;
    if (this.size > RECORD_MAX_BYTES) this.parts = [];
    // The chunk may be reused by the stream.
    else if (part.length > 0) this.parts.push(Buffer.from(part));
  }

  /** Returns the record, if there is any, and begins the next one. */
  *take(line: number): Generator<RawRecord> {
    const isTooLong = this.size > RECORD_MAX_BYTES;
    const text = Buffer.concat(this.parts)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
    [this.parts, this.size] = [[], 0];
    if (isTooLong) yield { line, error: `has more than ${RECORD_MAX_BYTES} bytes` };
    else if (text.trim() !== '') yield { line, text };
  }
}

/** A row by the names of its columns, or why there is none, and the line that it begins in. */
export type CsvRow = { line: number } & ({ record: Fields } | { error: string });

/**
 * Reads CSV row by row. The first row has the names of the columns; the values of a name that is there several times are a list, as Jira
 * writes them. A row that is shorter or longer than the first is read as far as it goes.
 * @param longest the most bytes of one row
 */
export async function* rowsOf(bytes: AsyncIterable<Buffer>, longest: number): AsyncGenerator<CsvRow> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: longest,
  });
  let names: string[] | null = null;
  let line = 1;
  const errors: CsvRow[] = [];
  parser.on('skip', (error: CsvError) => errors.push({ line, error: `is not valid CSV: ${error.code}` }));
  const source = Readable.from(bytes, { objectMode: false });
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const row of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (names === null) names = row.record.map((name) => name.replaceAll('\0', '\uFFFD').trim());
      else yield { line, record: recordOf(names, row.record) };
      line = row.info.lines + 1;
    }
  } finally {
    source.destroy();
  }
  // Last, because the parser is ahead of its rows: an import that continues must find the records in the same order.
  yield* errors;
}

function recordOf(names: readonly string[], values: readonly string[]): Fields {
  const record = Object.create(null) as Record<string, string | string[]>;
  for (const [index, name] of names.entries()) {
    const value = values[index];
    if (value === undefined || value === '' || name === '') continue;
    const present = record[name];
    const storable = value.replaceAll('\0', '\uFFFD');
    if (present === undefined) record[name] = storable;
    else if (typeof present === 'string') record[name] = [present, storable];
    else present.push(storable);
  }
  return record;
}
