import type { Request } from 'express';
import type { StorageEngine } from 'multer';
import { attachmentNameOf } from '../attachment-name.js';
import type { RunningUploads } from '../leftovers/running-uploads.js';
import { isRasterImage } from '../raster-image.js';
import type { AttachmentStore } from '../store/attachment-store.js';
import { ByteWitness } from './byte-witness.js';
import type { ReceivedFile } from './received-file.js';

const CONTENT_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/;

/** What multer hands the file of one request to: its bytes go on to the store as they come, none is kept here. */
export class UploadStorage implements StorageEngine {
  received: ReceivedFile | null = null;
  /** What went wrong on our side; a form that breaks off is the client's. */
  fault: unknown = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly id: string,
    private readonly store: AttachmentStore,
    private readonly uploads: RunningUploads,
  ) {}

  _handleFile(_: Request, file: Express.Multer.File, done: (fault?: unknown) => void): void {
    this.writing = this.take(file, done);
  }

  /** multer asks for it only in some of its ways out; whoever began the upload ends it in all of them. */
  _removeFile(_: Request, __: Express.Multer.File, done: (fault: Error | null) => void): void {
    done(null);
  }

  /** Resolves once nothing is written any more: multer gives up on a broken request before that. */
  async settled(): Promise<void> {
    await this.writing;
  }

  private async take(file: Express.Multer.File, done: (fault?: unknown) => void): Promise<void> {
    try {
      await this.write(file);
    } catch (fault) {
      if (fault !== file.stream.errored) this.fault = fault;
      return done(fault);
    }
    done();
  }

  private async write(file: Express.Multer.File): Promise<void> {
    await this.uploads.begin(this.id);
    const witness = new ByteWitness();
    await this.store.write(this.id, witness.watch(file.stream));
    const contentType = CONTENT_TYPE.test(file.mimetype) ? file.mimetype : 'application/octet-stream';
    this.received = {
      id: this.id,
      filename: attachmentNameOf(file.originalname),
      contentType,
      isRasterImage: await isRasterImage(contentType, witness.beginning),
      size: witness.size,
      sha256: witness.sha256(),
    };
  }
}
