import { ApiProperty } from '@nestjs/swagger';
import { serverStatuses, type ServerStatus } from '../../installed-servers/installed-server-row.js';
import { approverRoles, type ApproverRole, type AskedTools } from '../access.repository.js';
import { accessSources, type AccessSource } from '../tool-verdict.js';
import { askedTools, toolNames } from './access.response.js';

/** An agent, which is a row of the matrix. */
export class MatrixAgentResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
  id!: string;
  /** @example "Release notes writer" */
  name!: string;
  disabled!: boolean;
}

/** An installed server, which is a column of the matrix. */
export class MatrixServerResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
  id!: string;
  /** @example "Everything (reference)" */
  name!: string;
  @ApiProperty({ enum: serverStatuses })
  status!: ServerStatus;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How many tools the server has; null before its first listing.',
    example: 22,
  })
  tools!: number | null;
}

/** The grant of one server to one agent. */
export class MatrixCellResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
  agentId!: string;
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
  serverId!: string;
  granted!: boolean;
  @ApiProperty(toolNames)
  tools!: string[] | null;
  @ApiProperty(askedTools)
  ask!: AskedTools;
  @ApiProperty({ enum: approverRoles, enumName: 'ApproverRole' })
  approverRole!: ApproverRole;
  /** @example default */
  credentialSet!: string;
  @ApiProperty({ enum: accessSources, description: 'Where the right comes from.' })
  source!: AccessSource;
}

/** A profile, which gives its servers to its agents unless a cell refuses. */
export class MatrixProfileResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a31 */
  id!: string;
  /** @example Writers */
  name!: string;
  agentIds!: string[];
  serverIds!: string[];
}

/** Every agent and installed server, the grants and refusals between them, and the profiles. */
export class AccessMatrixResponse {
  @ApiProperty({ type: [MatrixAgentResponse] })
  agents!: MatrixAgentResponse[];
  @ApiProperty({ type: [MatrixServerResponse] })
  servers!: MatrixServerResponse[];
  @ApiProperty({ type: [MatrixCellResponse] })
  cells!: MatrixCellResponse[];
  @ApiProperty({ type: [MatrixProfileResponse] })
  profiles!: MatrixProfileResponse[];
}
