import type { Service } from '../support/service.js';

/** Lines of the log that say the same. */
export interface LogLine {
  /** Of the first one, from the cause. */
  seconds: number;
  level: string;
  /** The message, or of a request its status and cause, without ids and numbers. */
  text: string;
  count: number;
}

interface Entry {
  level: string;
  time: string;
  msg?: string;
  context?: string;
  status?: number | string;
  cause?: string;
  route?: string;
  error?: string;
}

/** Reads what the service has logged since the cause. It follows the service through its starts. */
export class LogReader {
  private readonly entries: Entry[] = [];
  private pid = 0;
  private read = 0;

  constructor(private readonly service: Service) {}

  /** Forgets what has been logged so far. */
  skip(): void {
    this.follow();
    this.entries.length = 0;
  }

  /**
   * Warnings, errors, and information about anything but single requests that succeeded, each text once.
   * @param since the moment of the cause, of `performance.now()`
   */
  lines(since: number): LogLine[] {
    this.follow();
    const began = Date.now() - (performance.now() - since);
    const found = new Map<string, LogLine>();
    for (const entry of this.entries) {
      const text = textOf(entry);
      if (text === null) continue;
      const line = found.get(`${entry.level} ${text}`);
      if (line) line.count += 1;
      else {
        const seconds = (Date.parse(entry.time) - began) / 1000;
        found.set(`${entry.level} ${text}`, { seconds, level: entry.level, text, count: 1 });
      }
    }
    return [...found.values()];
  }

  private follow(): void {
    if (this.service.pid !== this.pid) this.read = 0;
    this.pid = this.service.pid;
    const { log } = this.service;
    const end = log.lastIndexOf('\n') + 1;
    for (const line of log.slice(this.read, end).split('\n')) if (line) this.entries.push(entryOf(line));
    this.read = Math.max(this.read, end);
  }
}

function entryOf(line: string): Entry {
  try {
    return JSON.parse(line) as Entry;
  } catch {
    // Not the log: Node's own words at its end, for instance.
    return { level: 'no JSON', time: new Date().toISOString(), msg: line };
  }
}

/** Returns null for a request that the service could do, and for nothing else. */
function textOf({ level, msg, context, status, cause, route, error }: Entry): string | null {
  if (msg === undefined && error !== undefined) return plain(error.split('\n', 1)[0]!);
  if (msg !== undefined) return plain(context && context !== 'Request' ? `[${context}] ${msg}` : msg);
  if (level === 'info' || level === 'debug') return null;
  return plain(`${cause ? 'a request' : route} was answered with ${status}${cause ? `: ${cause}` : ''}`);
}

/** Leaves out what differs from run to run, and the paths of this machine. */
export function plain(text: string): string {
  return text
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '…')
    .replaceAll(/\/tmp\/[\w.-]+/g, '/…')
    .replaceAll(/(127\.0\.0\.1|localhost|game-day\.test):\d+/g, '$1:…')
    .replaceAll(/\bprocess \d+/g, 'process …')
    .replaceAll(/\b\d+(\.\d+)?(?= (s|ms|seconds|rows|more|times)\b)/g, '…');
}
