import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { StorageEngine } from 'multer';
import { attachmentNameOf, BEGINNING_BYTES, isInlineImage } from './attachment-names-and-inline-images.js';
import type { AttachmentStore } from './attachment-store.js';
import type { RunningUploadsService } from './leftovers-and-running-uploads.worker.js';

/** Observes a stream of bytes: their number, their SHA-256 and their beginning. */
export class ByteCounter {
  size = 0;
  private readonly hash = createHash('sha256');
  private readonly first: Buffer[] = [];

  /** @param hold is called with the length of each chunk before it is passed on; its error ends the stream */
  async *watch(bytes: AsyncIterable<Buffer>, hold: (bytes: number) => void): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      hold(chunk.length);
      if (this.size < BEGINNING_BYTES)
        this.first.push(Buffer.from(chunk.subarray(0, BEGINNING_BYTES - this.size)));
      this.size += chunk.length;
      this.hash.update(chunk);
      yield chunk;
    }
  }

  get beginning(): Buffer {
    return Buffer.concat(this.first);
  }

  /** Returns the SHA-256 in hex. Call it once, after all bytes have passed. */
  sha256(): string {
    return this.hash.digest('hex');
  }
}

/** A file as a client sends it. */
export interface SentFile {
  filename: string;
  contentType: string;
  bytes: AsyncIterable<Buffer>;
}

/** A file whose bytes are in the store under `id`, before it has a row. */
export interface ReceivedFile {
  id: string;
  filename: string;
  contentType: string;
  isRasterImage: boolean;
  /** In bytes. */
  size: number;
  /** In hex. */
  sha256: string;
}

const CONTENT_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/;

/** Takes the bytes of one upload, also as the storage engine of multer. It passes them on to the store and keeps none. */
export class UploadStorage implements StorageEngine {
  received: ReceivedFile | null = null;
  /** An error of the service. A form that ends early is the client's error and is not stored here. */
  error: unknown = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly id: string,
    private readonly store: AttachmentStore,
    private readonly uploads: RunningUploadsService,
    private readonly hold: (bytes: number) => void,
  ) {}

  _handleFile(_: Request, file: Express.Multer.File, done: (error?: unknown) => void): void {
    this.writing = this.take(file, done);
  }

  /** multer calls it on some paths only. The caller that began the upload removes its bytes on all paths. */
  _removeFile(_: Request, __: Express.Multer.File, done: (error: Error | null) => void): void {
    done(null);
  }

  /** Resolves when writing has stopped; multer reports a broken request before that. */
  async settled(): Promise<void> {
    await this.writing;
  }

  /** Stores the bytes of a file. */
  async write({ filename, contentType: named, bytes }: SentFile): Promise<ReceivedFile> {
    await this.uploads.begin(this.id);
    const witness = new ByteCounter();
    await this.store.write(this.id, witness.watch(bytes, this.hold));
    const contentType = CONTENT_TYPE.test(named) ? named : 'application/octet-stream';
    return {
      id: this.id,
      filename: attachmentNameOf(filename),
      contentType,
      isRasterImage: await isInlineImage(contentType, witness.beginning),
      size: witness.size,
      sha256: witness.sha256(),
    };
  }

  private async take(file: Express.Multer.File, done: (error?: unknown) => void): Promise<void> {
    try {
      const { originalname: filename, mimetype: contentType, stream: bytes } = file;
      this.received = await this.write({ filename, contentType, bytes });
    } catch (error) {
      if (error !== file.stream.errored) this.error = error;
      return done(error);
    }
    done();
  }
}
