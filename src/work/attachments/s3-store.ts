import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Logger } from '@nestjs/common';
import type { S3Settings } from '../../platform/config/settings.js';
import { type AttachmentStore, type ByteRange, StoreAway } from './attachment-store.js';

const CONNECT_MS = 2_000;
/** From the last byte sent to the first byte of the response. */
const RESPONSE_MS = 20_000;
const ATTEMPTS = 3;
/** Longer than a response may wait for its reader (contract §1.4): the store has stopped in the middle of an object. */
const STALLED_MS = 90_000;
/** A slow reader holds a connection: with the default of 50 a few dozen of them would block all others. */
const CONNECTIONS = 500;

/** An old time: the SDK asks for the key of each request, because the files of the key may change. */
const EXPIRED = new Date(0);

/**
 * Creates the client of an S3-compatible store (settings S3_*). Optional checksums stay off, since stores that only
 * resemble Amazon's reject them. A request whose key the store refuses is sent once more where the files of the key have
 * another one by now (contract §9).
 */
export function s3ClientOf(s3: S3Settings): S3Client {
  const client = new S3Client({
    endpoint: s3.endpoint,
    region: s3.region,
    forcePathStyle: s3.forcePathStyle,
    credentials: async () => ({
      accessKeyId: s3.accessKeyId,
      secretAccessKey: s3.secretAccessKey,
      expiration: EXPIRED,
    }),
    maxAttempts: ATTEMPTS,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: RESPONSE_MS,
      throwOnRequestTimeout: true,
      socketTimeout: STALLED_MS,
      httpAgent: { maxSockets: CONNECTIONS },
      httpsAgent: { maxSockets: CONNECTIONS },
    },
  });
  client.middlewareStack.add(
    (send) => async (request) => {
      try {
        return await send(request);
      } catch (error) {
        // The parts of an upload are buffers, so that they can be sent again.
        if (!isRefused(error) || !s3.renewKey()) throw error;
        return send(request);
      }
    },
    { name: 'renewKey', step: 'initialize' },
  );
  return client;
}

/** Stores name a refused key in several ways, but all with these states. */
function isRefused(error: unknown): boolean {
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  return [401, 403].includes($metadata?.httpStatusCode ?? 0);
}

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
