/** The fields of a stored tool that determine its state. */
export interface ToolFacts {
  present: boolean;
  hash: string;
  approvedHash: string | null;
}

export const toolStates = ['approved', 'changed', 'new', 'removed'] as const;
export type ToolState = (typeof toolStates)[number];

/** Returns the state of a tool; agents see approved tools only (contract §3.3). */
export function stateOf({ present, hash, approvedHash }: ToolFacts): ToolState {
  if (!present) return 'removed';
  if (approvedHash === null) return 'new';
  return approvedHash === hash ? 'approved' : 'changed';
}
