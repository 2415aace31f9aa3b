import type { IncomingMessage } from 'node:http';

/** Limits of a request body in bytes. */
export interface BodyLimits {
  limit: number;
  /**
   * How much of a larger body is read and dropped, so that a client that is still sending sees the response; at least
   * `limit`.
   */
  drain: number;
  /** Counts what has arrived so far. After an error that it throws the rest is read and dropped. */
  hold: (request: IncomingMessage, bytes: number) => void;
}

/**
 * Returns the body of a request, or null when it is larger than `limit`. Nothing above the limit is kept in memory. It
 * uses events, because the iterator of a stream costs more than the reading of a small body.
 * @throws {Error} when the client disconnects while it sends
 * @throws what `hold` throws
 */
export function readBody(
  request: IncomingMessage,
  { limit, drain, hold }: BodyLimits,
): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > drain) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let refusal: Error | null = null;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limit && refusal === null) {
        chunks.push(chunk);
        refusal = errorOf(() => hold(request, size));
      }
      if (size > limit || refusal !== null) chunks.length = 0;
      if (size <= drain) return;
      request.off('data', take).pause();
      resolve(null);
    };
    request.on('data', take);
    request.once('end', () => {
      if (refusal !== null) reject(refusal);
      else resolve(size > limit ? null : joined(chunks, size));
    });
    request.once('close', () => {
      if (!request.complete) reject(new Error('The client disconnected while it sent the body.'));
    });
    request.once('error', reject);
  });
}

function errorOf(work: () => void): Error | null {
  try {
    work();
    return null;
  } catch (error) {
    return error as Error;
  }
}

function joined(chunks: Buffer[], size: number): Buffer {
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks, size);
}
