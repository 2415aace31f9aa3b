import type { ServerLogLine } from '../../../api/types';

const SHOWN = 500;

export interface ShownLines {
  lines: ServerLogLine[];
  /** How many lines match the search. */
  matching: number;
  total: number;
}

/** The newest lines that contain the search in any case; a window, so that a long log stays readable. */
export function linesToShow(lines: readonly ServerLogLine[], search: string): ShownLines {
  const wanted = search.trim().toLowerCase();
  const found = wanted === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(wanted));
  return { lines: found.slice(-SHOWN), matching: found.length, total: lines.length };
}

/** Whether a line reads like a failure. It is only coloured; its words say what it is. */
export function readsLikeFailure(text: string): boolean {
  return /\b(error|fatal|exception|panic|failed|traceback)\b/i.test(text);
}
