import { stripVTControlCharacters } from 'node:util';
import { SecretMask } from '../../platform/encryption/masking.js';

/** One line that a server wrote to stderr, secrets masked. */
export interface LogLine {
  at: string;
  text: string;
}

/**
 * The last 64 KiB that a server wrote to stderr. Bytes go in raw, so that a flood costs nothing but the
 * read; they are masked on the way out, a whole line at a time.
 */
export class StderrRing {
  private chunks: { at: Date; bytes: Buffer }[] = [];
  private held = 0;
  private wrapped = false;

  push(bytes: Buffer): void {
    this.chunks.push({ at: new Date(), bytes });
    this.held += bytes.length;
    while (this.held > RING_BYTES && this.chunks.length > 1) {
      this.held -= this.chunks.shift()?.bytes.length ?? 0;
      this.wrapped = true;
    }
  }

  /** Every whole line held, oldest first, with the values of `secrets` masked. */
  lines(secrets: readonly string[]): LogLine[] {
    const mask = new SecretMask(secrets);
    return this.rawLines().map(({ at, text }) => ({
      at: at.toISOString(),
      text: cut(clean(mask.mask(text))),
    }));
  }

  /** The last lines as one text of at most 4,000 characters: what a failed start has to say for itself. */
  tail(secrets: readonly string[]): string {
    const text = this.lines(secrets)
      .map((line) => line.text)
      .join('\n');
    return text.slice(-TAIL_CHARACTERS);
  }

  /** After the ring has wrapped, its first line may be the end of a longer one, and of a secret: left out. */
  private rawLines(): { at: Date; text: string }[] {
    const lines: { at: Date; parts: Buffer[] }[] = [];
    let open: { at: Date; parts: Buffer[] } | null = null;
    for (const { at, bytes } of this.chunks) {
      let start = 0;
      while (start < bytes.length) {
        const newline = bytes.indexOf(0x0a, start);
        const end = newline < 0 ? bytes.length : newline;
        if (!open) lines.push((open = { at, parts: [] }));
        open.parts.push(bytes.subarray(start, end));
        if (newline >= 0) open = null;
        start = end + 1;
      }
    }
    const whole = this.wrapped ? lines.slice(1) : lines;
    return whole.map((line) => ({ at: line.at, text: Buffer.concat(line.parts).toString('utf8') }));
  }
}

/** Colours and other control characters are not for a log that is shown in a browser or a terminal. */
function clean(text: string): string {
  return stripVTControlCharacters(text).replace(/(?!\t)\p{Cc}/gu, '');
}

function cut(text: string): string {
  return text.length <= LINE_CHARACTERS ? text : `${text.slice(0, LINE_CHARACTERS)}… (cut)`;
}

const RING_BYTES = 64 * 1024;
const LINE_CHARACTERS = 8 * 1024;
const TAIL_CHARACTERS = 4_000;
