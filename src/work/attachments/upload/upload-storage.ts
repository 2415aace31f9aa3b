import type { Request } from 'express';
import type { StorageEngine } from 'multer';
import { attachmentNameOf } from '../attachment-name.js';
import type { RunningUploadsService } from '../leftovers/running-uploads.service.js';
import { isInlineImage } from './inline-image.js';
import type { AttachmentStore } from '../store/attachment-store.js';
import { ByteCounter } from './byte-counter.js';
import type { ReceivedFile, SentFile } from './received-file.js';

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
