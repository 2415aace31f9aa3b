import { stripVTControlCharacters } from 'node:util';
import { SecretMask } from '../../../platform/encryption/masking.js';

const RING_BYTES = 64 * 1024;
const LINE_CHARACTERS = 8 * 1024;
const TAIL_CHARACTERS = 4_000;
const NEWLINE = 0x0a;

/** One line that a server wrote to stderr, with secrets masked. */
export interface LogLine {
  at: string;
  text: string;
}

/**
 * Keeps the last 64 KiB that a server wrote to stderr, and what it said elsewhere. Bytes are stored raw, so that a flood
 * costs only the read. They are masked when they are read back, one whole line at a time.
 */
export class StderrRing {
  private chunks: { at: Date; bytes: Buffer }[] = [];
  private held = 0;
  private wrapped = false;
  /** How many lines have ended, and how many of them `take` has returned or passed over. */
  private ended = 0;
  private taken = 0;

  push(bytes: Buffer): void {
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) this.ended += 1;
    this.chunks.push({ at: new Date(), bytes });
    this.held += bytes.length;
    while (this.held > RING_BYTES && this.chunks.length > 1) {
      this.held -= this.chunks.shift()?.bytes.length ?? 0;
      this.wrapped = true;
    }
  }

  /** Adds a line of its own, also in the middle of one of stderr. The caller masks it, because a long one is cut. */
  note(text: string): void {
    const line = cut(text.replaceAll(/[\r\n]+/g, ' '));
    this.push(Buffer.from(`${this.held === 0 || this.endsInALine() ? '' : '\n'}${line}\n`));
  }

  /** Returns every whole line that is held, oldest first, with the values of `secrets` masked. */
  lines(secrets: readonly string[]): LogLine[] {
    const mask = new SecretMask(secrets);
    return this.rawLines().map(({ at, text }) => ({
      at: at.toISOString(),
      text: cut(clean(mask.mask(text))),
    }));
  }

  /** Returns the lines that have ended since the last call, as far as they are still held. */
  take(secrets: readonly string[]): LogLine[] {
    const fresh = this.ended - this.taken;
    this.taken = this.ended;
    if (fresh === 0) return [];
    const lines = this.lines(secrets);
    return (this.endsInALine() ? lines : lines.slice(0, -1)).slice(-fresh);
  }

  /** Returns the last lines as one text of at most 4,000 characters, for the message of a failed start. */
  tail(secrets: readonly string[]): string {
    const text = this.lines(secrets)
      .map((line) => line.text)
      .join('\n');
    return text.slice(-TAIL_CHARACTERS);
  }

  private endsInALine(): boolean {
    return this.chunks.findLast(({ bytes }) => bytes.length > 0)?.bytes.at(-1) === NEWLINE;
  }

  /** Leaves out the first line once the ring has wrapped: it may be the end of a longer line, and of a secret. */
  private rawLines(): { at: Date; text: string }[] {
    const lines: { at: Date; parts: Buffer[] }[] = [];
    let open: { at: Date; parts: Buffer[] } | null = null;
    for (const { at, bytes } of this.chunks) {
      let start = 0;
      while (start < bytes.length) {
        const newline = bytes.indexOf(NEWLINE, start);
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

/** Removes colours and other control characters, because the log is shown in browsers and terminals. */
function clean(text: string): string {
  return stripVTControlCharacters(text).replace(/(?!\t)\p{Cc}/gu, '');
}

function cut(text: string): string {
  return text.length <= LINE_CHARACTERS ? text : `${text.slice(0, LINE_CHARACTERS)}… (cut)`;
}

/** A line of a server with the credential set of the process that wrote it. */
export interface ServerLogLine extends LogLine {
  /** Absent in a line that a process of an earlier release has published. */
  credentialSetId?: string;
}

export function linesOf(credentialSetId: string, lines: readonly LogLine[]): ServerLogLine[] {
  return lines.map((line) => ({ ...line, credentialSetId }));
}
