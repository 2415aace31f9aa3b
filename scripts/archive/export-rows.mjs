import { createHash } from 'node:crypto';
import { Transform, Writable } from 'node:stream';
import { partitionName } from '../../dist/src/platform/partitions/partitions.js';
import { copyOut } from '../backup/copy.mjs';

/** Neither character can be in a line of JSON, so COPY writes and reads each line as it is. */
export const AS_LINES = `(FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`;

/** As in a backup, a transaction id means nothing in another cluster. */
const PORTABLE = { xid8: `'3'::xid8` };

const COLUMNS = `
  SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
  WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`;

export function columnsOf(database, { name }) {
  return database.query(COLUMNS, [name]);
}

/** Writes the rows of a month to `sink` as lines of JSON in the order of the table, and returns how many. */
export function exportRows({ client }, table, month, columns, sink) {
  const list = columns.map(
    ({ name, type }) =>
      `${PORTABLE[type] ?? client.escapeIdentifier(name)} AS ${client.escapeIdentifier(name)}`,
  );
  const rows = `SELECT ${list.join(', ')} FROM ${partitionName(table, month)} ORDER BY ${table.order}`;
  return copyOut(
    client,
    `COPY (SELECT row_to_json(line) FROM (${rows}) AS line) TO STDOUT ${AS_LINES}`,
    sink,
  );
}

/** Returns the SHA-256 of the rows that the database has now. */
export async function hashOfRows(database, table, month, columns) {
  const hash = createHash('sha256');
  const sink = new Writable({ write: (chunk, _, done) => done(void hash.update(chunk)) });
  await exportRows(database, table, month, columns, sink);
  return hash.digest('hex');
}

/** Passes bytes on, and knows their SHA-256, number and lines. */
export class Measured extends Transform {
  hash = createHash('sha256');
  bytes = 0;
  lines = 0;

  _transform(chunk, _, done) {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.lines += 1;
    done(null, chunk);
  }

  get sha256() {
    return this.hash.copy().digest('hex');
  }
}
