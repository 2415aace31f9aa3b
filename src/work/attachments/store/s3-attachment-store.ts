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
 * One object an attachment, `attachments/<id>`, in a bucket that may hold other things. What is larger than a
 * part (5 MiB) goes up in parts, one at a time, so that an upload holds two of them in memory at most; the
 * object is there once all are, never half. Parts that a crash left behind are taken away with the object.
 */
export class S3AttachmentStore implements AttachmentStore {
  private readonly log = new Logger(S3AttachmentStore.name);

  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
  ) {}

  /** A fault of the bytes' source is passed on as it is: it is the sender's, and not the store's. */
  async write(id: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    const source = Readable.from(bytes, { objectMode: false });
    const params = { ...this.placeOf(id), Body: source };
    try {
      await new Upload({ client: this.client, params, queueSize: 1 }).done();
    } catch (fault) {
      throw source.errored ?? this.away('write', fault);
    }
  }

  async read(id: string, { start, end }: ByteRange): Promise<Readable> {
    const wish = new GetObjectCommand({ ...this.placeOf(id), Range: `bytes=${start}-${end}` });
    try {
      return (await this.client.send(wish)).Body as Readable;
    } catch (fault) {
      throw fault instanceof NoSuchKey ? fault : this.away('read', fault);
    }
  }

  async delete(id: string): Promise<void> {
    for (const UploadId of await this.unfinished(id))
      await this.client.send(new AbortMultipartUploadCommand({ ...this.placeOf(id), UploadId }));
    await this.client.send(new DeleteObjectCommand(this.placeOf(id)));
  }

  /** Stores that have no such list take parts away by a rule of their own. */
  private async unfinished(id: string): Promise<string[]> {
    const { Bucket, Key } = this.placeOf(id);
    try {
      const { Uploads = [] } = await this.client.send(
        new ListMultipartUploadsCommand({ Bucket, Prefix: Key }),
      );
      return Uploads.flatMap(({ UploadId }) => UploadId ?? []);
    } catch (fault) {
      if (nameOf(fault) === 'NotImplemented') return [];
      throw fault;
    }
  }

  private placeOf(id: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: `attachments/${id}` };
  }

  /** The caller is told to come again; what it was stands in the log, by its name: S3's messages tell keys. */
  private away(what: string, fault: unknown): StoreAway {
    this.log.error(`The attachment store did not ${what}: ${nameOf(fault)}. Try npm run doctor.`);
    return new StoreAway();
  }
}

function nameOf(fault: unknown): string {
  const { code, name } = fault as NodeJS.ErrnoException;
  return code ?? name;
}
