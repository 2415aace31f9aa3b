import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import type { Fields } from './import-item.js';

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
      if (names === null) names = row.record.map((name) => name.trim());
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
    record[name] = present === undefined ? value : [present, value].flat();
  }
  return record;
}
