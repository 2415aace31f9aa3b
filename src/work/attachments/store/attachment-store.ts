import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, both counted from 0 and both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Where the bytes of attachments are kept: a folder, or whatever can do these three. It knows nothing of rows;
 * ids are UUIDs made by the service. All processes of a service share one store.
 */
export interface AttachmentStore {
  /** Takes the bytes as they come. They are durable once it resolves; after a failure a part may be left: delete it. */
  write(id: string, bytes: AsyncIterable<Buffer>): Promise<void>;
  /** Fails at once where there are no such bytes, and not while they are read. */
  read(id: string, range: ByteRange): Promise<Readable>;
  /** Bytes that are not there are deleted already. */
  delete(id: string): Promise<void>;
}

/** Where the module has its store. */
export const ATTACHMENT_STORE = Symbol('ATTACHMENT_STORE');
