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
  private chunks: { at: Date; bytes: Buffer; isNote: boolean }[] = [];
  private held = 0;
  private wrapped = false;
  /** How many lines have ended, and how many of them `take` has returned or passed over. */
  private ended = 0;
  private taken = 0;

  push(bytes: Buffer): void {
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) this.ended += 1;
    this.hold(bytes, false);
  }

  /** Adds a line beside those of stderr, also while one of them is unfinished. The caller masks it: a long one is cut. */
  note(text: string): void {
    this.ended += 1;
    this.hold(Buffer.from(cut(text.replaceAll(/[\r\n]+/g, ' '))), true);
  }

  private hold(bytes: Buffer, isNote: boolean): void {
    this.chunks.push({ at: new Date(), bytes, isNote });
    this.held += bytes.length;
    while (this.held > RING_BYTES && this.chunks.length > 1) {
      const gone = this.chunks.shift()!;
      this.held -= gone.bytes.length;
      if (!gone.isNote) this.wrapped = true;
    }
  }

  /** Returns every whole line that is held, oldest first, with the values of `secrets` masked. */
  lines(secrets: readonly string[]): LogLine[] {
    const mask = new SecretMask(secrets);
    return this.rawLines().map(({ at, text }) => ({
      at: at.toISOString(),
      // A secret may be whole only without the colours and controls within it.
      text: cut(mask.mask(clean(mask.mask(text)))),
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
    const last = this.chunks.findLast(({ bytes, isNote }) => !isNote && bytes.length > 0);
    return last === undefined || last.bytes.at(-1) === NEWLINE;
  }

  /**
   * Returns the lines in the order of their ends, the unfinished one last. Leaves out the first line of stderr once the
   * ring has wrapped: it may be the end of a longer line, and of a secret.
   */
  private rawLines(): { at: Date; text: string }[] {
    const lines: { at: Date; bytes: Buffer; isNote: boolean }[] = [];
    let open: { at: Date; parts: Buffer[] } | null = null;
    for (const { at, bytes, isNote } of this.chunks) {
      if (isNote) lines.push({ at, bytes, isNote });
      for (let start = isNote ? bytes.length : 0; start < bytes.length;) {
        const newline = bytes.indexOf(NEWLINE, start);
        const end = newline < 0 ? bytes.length : newline;
        open ??= { at, parts: [] };
        open.parts.push(bytes.subarray(start, end));
        if (newline >= 0) {
          lines.push({ at: open.at, bytes: Buffer.concat(open.parts), isNote });
          open = null;
        }
        start = end + 1;
      }
    }
    if (open) lines.push({ at: open.at, bytes: Buffer.concat(open.parts), isNote: false });
    const partial = this.wrapped ? lines.findIndex(({ isNote }) => !isNote) : -1;
    return lines
      .filter((_, index) => index !== partial)
      .map(({ at, bytes }) => ({ at, text: bytes.toString('utf8') }));
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
