import type { LogLine } from './stderr-ring.js';

/** A line of a server with the credential set of the process that wrote it. */
export interface ServerLogLine extends LogLine {
  /** Absent in a line that a process of an earlier release has published. */
  credentialSetId?: string;
}

export function linesOf(credentialSetId: string, lines: readonly LogLine[]): ServerLogLine[] {
  return lines.map((line) => ({ ...line, credentialSetId }));
}
