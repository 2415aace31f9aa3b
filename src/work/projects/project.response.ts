import { ApiProperty } from '@nestjs/swagger';
import { RecentUsageResponse } from '../../agents/usage-figures.response.js';
import { pick } from '../../platform/http/pick.js';
import {
  type AssignmentRule,
  assignmentRules,
  type ProjectVisibility,
  visibilities,
} from './project.entity.js';
import type { ProjectRow } from './project.repository.js';

/** A project, which issues belong to. */
export class ProjectResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a04 */
  id!: string;
  /** @example DOCS */
  key!: string;
  /** @example Documentation */
  name!: string;
  description!: string;
  @ApiProperty({ enum: visibilities })
  visibility!: ProjectVisibility;
  @ApiProperty({
    enum: assignmentRules,
    description: 'To whom agents may assign the issues that they create: all agents, or themselves only.',
  })
  agentsMayAssign!: AssignmentRule;
  usage!: RecentUsageResponse;
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: ProjectRow): ProjectResponse {
    const its = pick(row, 'id', 'key', 'name', 'description', 'visibility', 'agentsMayAssign');
    return { ...its, ...pick(row, 'usage', 'createdAt', 'updatedAt') };
  }
}
