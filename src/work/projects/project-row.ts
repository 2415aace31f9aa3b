import type { RecentUsage } from '../../agents/usage/usage-figures.js';

export const visibilities = ['open', 'members'] as const;
export type ProjectVisibility = (typeof visibilities)[number];

/** What issues belong to. */
export interface ProjectRow {
  id: string;
  key: string;
  name: string;
  description: string;
  visibility: ProjectVisibility;
  usage: RecentUsage;
  createdAt: Date;
  updatedAt: Date;
}
