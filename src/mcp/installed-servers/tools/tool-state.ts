/** The fields of a stored tool that determine its state. */
export interface ToolFacts {
  present: boolean;
  hash: string;
  approvedHash: string | null;
  /** Why clients of agents would refuse the definition; null for a valid one. */
  invalidReason: string | null;
}

export const toolStates = ['approved', 'changed', 'new', 'removed', 'invalid'] as const;
export type ToolState = (typeof toolStates)[number];

/** Returns the state of a tool; agents see approved tools only (contract §3.3). */
export function stateOf({ present, hash, approvedHash, invalidReason }: ToolFacts): ToolState {
  if (!present) return 'removed';
  if (invalidReason !== null) return 'invalid';
  if (approvedHash === null) return 'new';
  return approvedHash === hash ? 'approved' : 'changed';
}

/** Whether a person can settle the tool by an approval: of its text, or of its removal. */
export function isOpen(tool: ToolFacts): boolean {
  return !['approved', 'invalid'].includes(stateOf(tool));
}
