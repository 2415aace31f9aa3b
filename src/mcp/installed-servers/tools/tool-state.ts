/** What of a kept tool its state follows from. */
export interface ToolFacts {
  present: boolean;
  hash: string;
  approvedHash: string | null;
}

export const toolStates = ['approved', 'changed', 'new', 'removed'] as const;
export type ToolState = (typeof toolStates)[number];

/** Only an approved tool is given to agents (spec §3.3). */
export function stateOf({ present, hash, approvedHash }: ToolFacts): ToolState {
  if (!present) return 'removed';
  if (approvedHash === null) return 'new';
  return approvedHash === hash ? 'approved' : 'changed';
}
