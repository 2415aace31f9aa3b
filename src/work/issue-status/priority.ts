/** Priorities, lowest first. The database stores and orders by the index. */
export const priorities = ['none', 'low', 'medium', 'high', 'urgent'] as const;
export type Priority = (typeof priorities)[number];

export function priorityNumber(priority: Priority): number {
  return priorities.indexOf(priority);
}

export function priorityName(number: number): Priority {
  return priorities[number]!;
}
