import type { Readable } from 'node:stream';

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
