import type { IncomingMessage } from 'node:http';

/** Limits of a request body in bytes. */
export interface BodyLimits {
  limit: number;
  /**
   * How much of a larger body is read and dropped, so that a client that is still sending sees the response; at least
   * `limit`.
   */
  drain: number;
}

/**
 * Returns the body of a request, or null when it is larger than `limit`. Nothing above the limit is kept in memory. It
 * uses events, because the iterator of a stream costs more than the reading of a small body.
 * @throws {Error} when the client disconnects while it sends
 */
export function readBody(request: IncomingMessage, { limit, drain }: BodyLimits): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > drain) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      if (size <= drain) return;
      request.off('data', take).pause();
      resolve(null);
    };
    request.on('data', take);
    request.once('end', () => resolve(size > limit ? null : joined(chunks, size)));
    request.once('close', () => {
      if (!request.complete) reject(new Error('The client disconnected while it sent the body.'));
    });
    request.once('error', reject);
  });
}

function joined(chunks: Buffer[], size: number): Buffer {
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks, size);
}
