import { createHash } from 'node:crypto';
import { BEGINNING_BYTES } from './inline-image.js';

/** Observes a stream of bytes: their number, their SHA-256 and their beginning. */
export class ByteCounter {
  size = 0;
  private readonly hash = createHash('sha256');
  private readonly first: Buffer[] = [];

  /** @param hold is called with the length of each chunk before it is passed on; its error ends the stream */
  async *watch(bytes: AsyncIterable<Buffer>, hold: (bytes: number) => void): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      hold(chunk.length);
      if (this.size < BEGINNING_BYTES)
        this.first.push(Buffer.from(chunk.subarray(0, BEGINNING_BYTES - this.size)));
      this.size += chunk.length;
      this.hash.update(chunk);
      yield chunk;
    }
  }

  get beginning(): Buffer {
    return Buffer.concat(this.first);
  }

  /** Returns the SHA-256 in hex. Call it once, after all bytes have passed. */
  sha256(): string {
    return this.hash.digest('hex');
  }
}
