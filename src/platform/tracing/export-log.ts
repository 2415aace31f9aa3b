import type { DiagLogger } from '@opentelemetry/api';

const EVERY_MS = 60_000;
const LONGEST = 200;

/**
 * Returns the logger that the SDK writes its problems to: one line per minute, since a collector that is away makes one
 * with every batch. Of an error it takes the message and nothing that the collector responded.
 */
export function exportLog(write: (line: string) => void, collector: string, now = Date.now): DiagLogger {
  let [last, left] = [-Infinity, 0];
  const report = (message: string): void => {
    if (now() - last < EVERY_MS) {
      left += 1;
      return;
    }
    const more = left > 0 ? ` (${left} more such problems since the last line)` : '';
    [last, left] = [now(), 0];
    write(`Traces do not reach ${collector}: ${sentenceOf(message).slice(0, LONGEST)}${more}`);
  };
  const ignore = (): void => undefined;
  return { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
}

/** The SDK writes an error as JSON with its stack and the collector's response. */
function sentenceOf(message: string): string {
  if (!message.startsWith('{')) return message;
  try {
    const { message: sentence, code } = JSON.parse(message) as Record<string, unknown>;
    return String(sentence || code || 'the export failed');
  } catch {
    // A text that only looks like JSON.
    return message;
  }
}
