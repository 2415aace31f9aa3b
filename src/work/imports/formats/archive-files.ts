import { Readable } from 'node:stream';
import { extract } from 'tar-stream';

/** The file of an archive that has the lines of its export (contract §5.12). */
export const LINES_FILE = 'export.ndjson';
/** The last file of an archive that is whole. */
export const END_FILE = 'end.json';
/** What the name of an attachment begins with. Its id follows. */
export const ATTACHED_FOLDER = 'attachments/';

/** How many bytes at the beginning of a file tell an archive from lines. */
export const HEADER_BYTES = 512;

/** Whether these bytes begin a tar. Its header has NUL characters, which no text of JSON has. */
export function isArchive(beginning: Buffer): boolean {
  return beginning.subarray(257, 262).toString('latin1') === 'ustar' && beginning.includes(0);
}

/** A file of an archive. Nothing is found, stored or written by its name. */
export interface ArchivedFile {
  name: string;
  size: number;
  bytes: AsyncIterable<Buffer>;
}

/** Thrown where the bytes of an archive are no tar, or end too early. */
export class ArchiveDamaged extends Error {}

/**
 * Reads the files of a tar one after the other. What is not read of a file is skipped when the next one is asked for. Links and folders
 * are no files.
 * @throws {ArchiveDamaged} also while the bytes of a file are read
 */
export async function* filesIn(bytes: AsyncIterable<Buffer>): AsyncGenerator<ArchivedFile> {
  const source = Readable.from(bytes, { objectMode: false });
  const archive = extract();
  let failure: Error | null = null;
  source.on('error', (error: Error) => {
    failure = error;
    archive.destroy(error);
  });
  source.pipe(archive);
  const whole = async function* <Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
    try {
      for await (const part of parts) yield part;
    } catch (error) {
      throw failure ?? new ArchiveDamaged((error as Error).message);
    }
  };
  try {
    for await (const entry of whole(archive)) {
      const { name, size = 0, type } = entry.header;
      if (type === 'file' || type === 'contiguous-file')
        yield { name: name.replace(/^(?:\.\/)+/, ''), size, bytes: whole(entry as AsyncIterable<Buffer>) };
      entry.resume();
    }
  } finally {
    source.destroy();
  }
}

/** Reads the lines of the export that an archive has. @throws {ArchiveDamaged} where it has none */
export async function* linesIn(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const file of filesIn(bytes)) {
    if (file.name !== LINES_FILE) continue;
    yield* file.bytes;
    return;
  }
  throw new ArchiveDamaged(`it has no ${LINES_FILE}`);
}
