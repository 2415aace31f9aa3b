import type { AttachmentStore } from '../attachments/attachment-store.js';
import { HEADER_BYTES, isArchive, linesIn } from './formats/archive-files.js';
import type { ImportFormat } from './import.entity.js';

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
