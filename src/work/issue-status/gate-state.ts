/** What a gate asks a person for (contract §5.6). */
export const gateKinds = ['approval', 'question', 'budget'] as const;
export type GateKind = (typeof gateKinds)[number];

export const gateStates = ['open', 'answered', 'expired', 'withdrawn'] as const;
export type GateState = (typeof gateStates)[number];

/** Condition: a gate holds the issue up, as an unresolved blocker does. @param id SQL of the id */
export const isHeld = (id: string) =>
  `EXISTS (SELECT 1 FROM gates holding WHERE holding.issue_id = ${id} AND holding.holds)`;
