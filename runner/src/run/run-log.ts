import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { appendOwn, pathBelow } from '../workspace/paths.js';

const MAX_BYTES = 16 * 2 ** 20;
const MAX_LINE = 65_536;

/** Replaces the secrets of a run, and whatever looks like a key of the platform. */
export function masked(text: string, secrets: string[]): string {
  const long = secrets.filter((secret) => secret.length >= 6);
  const known = long.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  return known.replaceAll(/\bawp_[a-z]_[\w-]{8,}/g, '***');
}

/** Returns a text without what controls a terminal. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\n\t]/gu, '');
}

/** Returns a part of a text as the service accepts it: masked, without control characters and halves of characters. */
export function presentable(text: string, secrets: string[], from: number, to?: number): string {
  // Secrets are masked before the text is cut, because half of one would not be found.
  return Buffer.from(printable(masked(text, secrets)).slice(from, to))
    .toString()
    .trim();
}

/** The log of a run as JSON Lines. Secrets are masked, and beyond 16 MiB lines are only counted. */
export class RunLog {
  private omitted = 0;
  private readonly hash = createHash('sha256');
  private lastKind = '';
  bytes: number;

  constructor(
    private readonly path: string,
    readonly secrets: string[] = [],
    /** No name below this folder may be a link. */
    private readonly root = dirname(path),
  ) {
    this.bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** The file. @throws {ConfigError} when the agent has put a link in its place or in that of a folder on the way */
  get file(): string {
    return pathBelow(this.root, ...relative(this.root, this.path).split(sep));
  }

  /** The digest of what this run has written, without the times. How an output was split into lines makes no difference. */
  get digest(): string {
    return this.hash.copy().digest('base64');
  }

  write(kind: string, data: unknown): void {
    this.digestOf(kind, data);
    const line = masked(lineOf({ kind, data }), this.secrets);
    const isLong = line.length > MAX_LINE;
    const text = isLong ? lineOf({ kind, cut: line.length, data: line.slice(0, MAX_LINE / 2) }) : line;
    if (this.bytes + text.length > MAX_BYTES) this.omitted += 1;
    else this.append(text);
  }

  /** Writes how many lines are missing. */
  close(): void {
    if (this.omitted > 0) this.append(lineOf({ kind: 'omitted', data: { lines: this.omitted } }));
    this.omitted = 0;
  }

  private digestOf(kind: string, data: unknown): void {
    const isText = typeof data === 'string';
    if (!isText || kind !== this.lastKind) this.hash.update(`\n${kind}\n`);
    this.lastKind = isText ? kind : '';
    this.hash.update(isText ? data : JSON.stringify(data ?? null));
  }

  private append(text: string): void {
    try {
      appendOwn(this.file, `${text}\n`);
      this.bytes += Buffer.byteLength(text) + 1;
    } catch {
      // A full disk, or a link in the place of the log, must not end the run: the lines are counted as missing.
      this.omitted += 1;
    }
  }
}

const lineOf = (fields: object) => JSON.stringify({ at: new Date().toISOString(), ...fields });
