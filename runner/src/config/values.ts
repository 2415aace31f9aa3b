const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
const WORD = /(?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|[^\s"'\\])+/gs;
const QUOTED = /\\(.)|"((?:\\.|[^"\\])*)"|'([^']*)'/gs;

/** What a duration looks like, such as `90s` or `60m`. */
export const DURATION = /^(\d+)(ms|s|m|h)$/;

/** Returns the milliseconds of a text that `DURATION` accepts. */
export function millisecondsOf(text: string): number {
  const [, count = '0', unit = 'ms'] = DURATION.exec(text) ?? [];
  return Number(count) * UNITS[unit as keyof typeof UNITS];
}

/** Returns a duration as people read it, such as `2m 5s`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Returns whether what is sent to a URL passes a network in the clear. */
export function isInsecure(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}

/**
 * Splits a command line into words like a shell, with quotes and backslashes, and leaves a list as it is. There are no
 * variables, globs or pipes: the command runs without a shell. Returns null when a quote is not closed.
 */
export function wordsOf(line: string | string[]): string[] | null {
  if (typeof line !== 'string') return line;
  if (line.replaceAll(WORD, '').trim() !== '') return null;
  const plain = (_: string, char?: string, double?: string, single?: string) =>
    char ?? single ?? double!.replaceAll(/\\(.)/gs, '$1');
  return [...line.matchAll(WORD)].map(([word]) => word.replaceAll(QUOTED, plain));
}
