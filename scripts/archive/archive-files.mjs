import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Measured } from './export-rows.mjs';

export const FORMAT = 1;
const WHOLE = { start: 0, end: Number.MAX_SAFE_INTEGER };

/**
 * The files of the archive: per month of a table the rows, and a manifest that is written last. Rows without a manifest
 * are the beginning of a run that was interrupted.
 */
export class ArchiveFiles {
  constructor(store) {
    this.store = store;
  }

  /** Returns null where there is none, or only its beginning. */
  async manifest(table, month) {
    const text = await this.textOf(manifestName(table, month));
    return text === null ? null : parsed(text);
  }

  /** Replaces the rows, and then the manifest. */
  async write(table, month, bytes, describe) {
    await this.store.delete(manifestName(table, month));
    await this.store.delete(rowsName(table, month));
    await this.store.write(rowsName(table, month), bytes);
    const manifest = { format: FORMAT, table, month, ...describe() };
    await this.store.write(
      manifestName(table, month),
      Readable.from([Buffer.from(JSON.stringify(manifest, null, 2))]),
    );
    return manifest;
  }

  /** Returns the lines of the archive as a stream. */
  async lines(table, month) {
    const file = await this.store.read(rowsName(table, month), WHOLE);
    const text = createGunzip();
    file.once('error', (error) => text.destroy(error));
    return file.pipe(text);
  }

  /** Reads all of it. @throws {Error} where it is not what was written. @returns the manifest */
  async verified(table, month) {
    const manifest = await this.manifest(table, month);
    if (!manifest) throw new Error(`The archive has no manifest of ${month} of ${table}.`);
    const text = new Measured();
    text.resume();
    try {
      await pipeline(await this.lines(table, month), text);
    } catch (error) {
      throw new Error(
        `The archive of ${month} of ${table} cannot be read (${error.code ?? error.message}).`,
        {
          cause: error,
        },
      );
    }
    if (text.sha256 === manifest.sha256 && text.lines === manifest.rows && text.bytes === manifest.bytes)
      return manifest;
    throw new Error(
      `The archive of ${month} of ${table} is damaged: it does not have the rows of its manifest.`,
    );
  }

  async textOf(name) {
    try {
      const chunks = await (await this.store.read(name, WHOLE)).toArray();
      return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString('utf8');
    } catch (error) {
      if (error.code === 'ENOENT' || error.name === 'NoSuchKey') return null;
      throw error;
    }
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    // A run was killed while it wrote the manifest: the rows are written again.
    return null;
  }
}

const rowsName = (table, month) => `${table}-${month}.jsonl.gz`;
const manifestName = (table, month) => `${table}-${month}.json`;
