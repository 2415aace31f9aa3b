import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Logger } from '@nestjs/common';
import { StoreAway } from '../attachments.errors.js';
import type { AttachmentStore, ByteRange } from './attachment-store.js';

/**
 * Keeps one object per attachment, `attachments/<id>`, in a bucket that may contain other objects. A file larger than one
 * part (5 MiB) is uploaded in parts, one at a time, so that an upload holds at most two of them in memory. The object
 * exists once all parts are there. Parts that a crash left are removed with the object.
 */
export class S3AttachmentStore implements AttachmentStore {
  private readonly log = new Logger(S3AttachmentStore.name);

  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
    private readonly folder = 'attachments',
  ) {}

  /** Passes an error of the source of the bytes on as it is, since it is the sender's and not the store's. */
  async write(id: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    const source = Readable.from(bytes, { objectMode: false });
    const params = { ...this.placeOf(id), Body: source };
    try {
      await new Upload({ client: this.client, params, queueSize: 1 }).done();
    } catch (error) {
      throw source.errored ?? this.away('write', error);
    }
  }

  async read(id: string, { start, end }: ByteRange): Promise<Readable> {
    const command = new GetObjectCommand({ ...this.placeOf(id), Range: `bytes=${start}-${end}` });
    try {
      return (await this.client.send(command)).Body as Readable;
    } catch (error) {
      throw error instanceof NoSuchKey ? error : this.away('read', error);
    }
  }

  async delete(id: string): Promise<void> {
    for (const UploadId of await this.unfinished(id))
      await this.client.send(new AbortMultipartUploadCommand({ ...this.placeOf(id), UploadId }));
    await this.client.send(new DeleteObjectCommand(this.placeOf(id)));
  }

  /** Stores that do not implement this list remove unfinished parts by a rule of their own. */
  private async unfinished(id: string): Promise<string[]> {
    const { Bucket, Key } = this.placeOf(id);
    try {
      const { Uploads = [] } = await this.client.send(
        new ListMultipartUploadsCommand({ Bucket, Prefix: Key }),
      );
      return Uploads.flatMap(({ UploadId }) => UploadId ?? []);
    } catch (error) {
      if (nameOf(error) === 'NotImplemented') return [];
      throw error;
    }
  }

  private placeOf(id: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: `${this.folder}/${id}` };
  }

  /** Logs the name of the error only, since messages of S3 contain keys. The caller gets 503. */
  private away(what: string, error: unknown): StoreAway {
    this.log.error(`The attachment store did not ${what}: ${nameOf(error)}. Try npm run doctor.`);
    return new StoreAway();
  }
}

function nameOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return code ?? name;
}
