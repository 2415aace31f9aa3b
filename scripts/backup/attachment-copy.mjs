import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeHashed } from './hashed-files.mjs';

/** Copies the files of attachments, which are written once under their id and never changed. */
export class AttachmentCopy {
  /** The copied files: their SHA-256 and size by id. */
  copied = new Map();

  constructor(source, target) {
    this.source = source;
    this.target = target;
  }

  /** Copies what is there now, before the snapshot: a file may be deleted while its row is still in the snapshot. */
  async copyAll() {
    await mkdir(this.target, { mode: 0o700 });
    for (const id of await namesIn(this.source)) await this.copy(id);
  }

  /** Makes the copy hold these files only. @returns the ids that have no file */
  async complete(ids) {
    const missing = [];
    for (const id of ids) if (!this.copied.has(id) && !(await this.copy(id))) missing.push(id);
    const wanted = new Set(ids);
    for (const id of this.copied.keys()) if (!wanted.has(id)) await this.drop(id);
    return missing;
  }

  async drop(id) {
    await rm(join(this.target, id));
    this.copied.delete(id);
  }

  async copy(id) {
    try {
      this.copied.set(id, await writeHashed(join(this.target, id), createReadStream(join(this.source, id))));
      return true;
    } catch (error) {
      await rm(join(this.target, id), { force: true });
      if (error.code === 'ENOENT') return false;
      throw error;
    }
  }
}

/** The folder does not exist before the first upload. The id of the store, which begins with a dot, stays its own. */
async function namesIn(folder) {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith('.'));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}
