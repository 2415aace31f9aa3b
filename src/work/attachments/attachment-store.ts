import type { Readable } from 'node:stream';
import type { MetricsService } from '../../platform/health/metrics.service.js';
import { isDiskFull } from '../../platform/database/postgres-errors.js';
import { Problem } from '../../platform/http/problem.js';

/** Bytes from `start` to `end`, both counted from 0 and both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Stores the bytes of attachments, in a folder or an object store. It knows nothing of rows; ids are UUIDs that the
 * service generates. All processes of a service share one store.
 */
export interface AttachmentStore {
  /** Stores a stream of bytes. They are durable once it resolves. A failure may leave a part, which must be deleted. */
  write(id: string, bytes: AsyncIterable<Buffer>): Promise<void>;
  /** Rejects at once, not while reading, when there are no such bytes. */
  read(id: string, range: ByteRange): Promise<Readable>;
  /** Succeeds for bytes that do not exist. */
  delete(id: string): Promise<void>;
}

/** The injection token of the store. */
export const ATTACHMENT_STORE = Symbol('ATTACHMENT_STORE');

/** Returns the store with each of its errors counted. An error of the bytes that a client sends is not one of them. */
export function measured(store: AttachmentStore, metrics: MetricsService): AttachmentStore {
  const help =
    'Errors that the store of attachments met: a full disk, missing bytes, a bucket that does not respond.';
  const errors = metrics.counter(
    'awp_attachment_store_errors_total',
    help,
    ['operation'],
    ['write', 'read', 'delete'],
  );
  const counted = async <T>(operation: string, work: Promise<T>, sent?: SentBytes): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!sent || error !== sent.error) errors.inc({ operation });
      throw error;
    }
  };
  return {
    write(id, bytes) {
      const sent = new SentBytes(bytes);
      return counted('write', store.write(id, sent), sent);
    },
    read: (id, range) => counted('read', store.read(id, range)),
    delete: (id) => counted('delete', store.delete(id)),
  };
}

/** The bytes of a client, with the error that ended them. */
class SentBytes implements AsyncIterable<Buffer> {
  error: unknown = null;

  constructor(private readonly bytes: AsyncIterable<Buffer>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void> {
    try {
      yield* this.bytes;
    } catch (error) {
      this.error = error;
      throw error;
    }
  }
}

/** Whether a store has no such bytes: a folder says ENOENT, an object store NoSuchKey. */
export function areBytesMissing(error: unknown): boolean {
  const { code, name } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || name === 'NoSuchKey';
}

/** Whether the store cannot take the file: its disk is full, a quota is used up, or its files may not be that large. */
export function isStoreFull(error: unknown): boolean {
  return isDiskFull(error) || (error as NodeJS.ErrnoException | null)?.code === 'EFBIG';
}

/** 503: the store has no space left. */
export class StoreFull extends Problem {
  constructor() {
    super(
      'storage_full',
      'There is no space left for attachments; ask the operator of the service for more, then try again.',
      {
        headers: { 'Retry-After': '60' },
      },
    );
  }
}

/** 503: the object store does not respond, or rejects the service's credentials. */
export class StoreAway extends Problem {
  constructor() {
    super('unavailable', 'The store of attachments does not respond; try again in a moment.', {
      headers: { 'Retry-After': '2' },
    });
  }
}
