import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
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
    skip_empty_lines: true,
    max_record_size: longest,
  });
  const source = Readable.from(bytes, { objectMode: false });
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let names: string[] | null = null;
  let line = 1;
  try {
    for await (const row of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (names === null) names = row.record.map((name) => name.trim());
      else yield { line, record: recordOf(names, row.record) };
      line = row.info.lines + 1;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser cannot go on behind a broken quotation.
    yield {
      line: error['lines'] ?? line,
      error: `is not valid CSV, and the rest of the file cannot be read: ${error.code}`,
    };
  } finally {
    source.destroy();
  }
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
