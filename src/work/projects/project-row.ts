import type { RecentUsage } from '../../agents/usage/usage-figures.js';

export const visibilities = ['open', 'members'] as const;
export type ProjectVisibility = (typeof visibilities)[number];

/** To whom agents may assign the issues that they create (contract §4.1). */
export const assignmentRules = ['any', 'self'] as const;
export type AssignmentRule = (typeof assignmentRules)[number];

/** What issues belong to. */
export interface ProjectRow {
  id: string;
  key: string;
  name: string;
  description: string;
  visibility: ProjectVisibility;
  agentsMayAssign: AssignmentRule;
  usage: RecentUsage;
  createdAt: Date;
  updatedAt: Date;
}
