import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes `source` to a new file, which is on the disk when this returns. Returns its SHA-256 and size. */
export async function writeHashed(file, ...source) {
  const { hashing, result } = hasher();
  await pipeline(...source, hashing, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
  return result();
}

/** Returns SHA-256 and size of a file. */
export async function hashOf(file) {
  const { hashing, result } = hasher();
  hashing.resume();
  await pipeline(createReadStream(file), hashing);
  return result();
}

function hasher() {
  const hash = createHash('sha256');
  let size = 0;
  const hashing = new Transform({
    transform(chunk, _, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  return { hashing, result: () => ({ sha256: hash.digest('hex'), size }) };
}
