import { appendFileSync, statSync } from 'node:fs';

const MAX_BYTES = 16 * 2 ** 20;
const MAX_LINE = 65_536;

/** Replaces the secrets of a run, and whatever looks like a key of the platform. */
export function masked(text: string, secrets: string[]): string {
  const known = secrets.reduce(
    (rest, secret) => (secret.length < 6 ? rest : rest.replaceAll(secret, '***')),
    text,
  );
  return known.replaceAll(/\bawp_[a-z]_[\w-]{8,}/g, '***');
}

/** The log of a run as JSON Lines. Secrets are masked, and beyond 16 MiB lines are only counted. */
export class RunLog {
  private bytes = 0;
  private omitted = 0;
  readonly secrets: string[] = [];

  constructor(readonly file: string) {
    this.bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }

  write(kind: string, data: unknown): void {
    const line = masked(JSON.stringify({ at: new Date().toISOString(), kind, data }), this.secrets);
    const text = line.length > MAX_LINE ? cutLine(kind, line) : line;
    this.bytes += Buffer.byteLength(text) + 1;
    if (this.bytes > MAX_BYTES) this.omitted += 1;
    else this.append(`${text}\n`);
  }

  /** Writes how many lines are missing. */
  close(): void {
    if (this.omitted === 0) return;
    this.append(
      `${JSON.stringify({ at: new Date().toISOString(), kind: 'omitted', data: { lines: this.omitted } })}\n`,
    );
    this.omitted = 0;
  }

  private append(text: string): void {
    try {
      appendFileSync(this.file, text, { mode: 0o600 });
    } catch {
      // A full disk must not end the run: the lines are counted as missing.
      this.omitted += 1;
    }
  }
}

function cutLine(kind: string, line: string): string {
  return JSON.stringify({
    at: new Date().toISOString(),
    kind,
    cut: line.length,
    data: line.slice(0, MAX_LINE / 2),
  });
}
