import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { pick } from '../../../platform/http/pick.js';
import { approverRoles, type AccessRow, type ApproverRole, type AskedTools } from '../access.repository.js';

/** The schema of the names of tools that a grant is narrowed to. */
export const toolNames: ApiPropertyOptions = {
  type: 'string',
  isArray: true,
  nullable: true,
  description: 'Names of the tools that the grant is narrowed to; null grants all approved tools.',
};

/** The schema of the tools whose calls need an approval. */
export const askedTools = {
  oneOf: [
    { type: 'string', enum: ['writes'] },
    { type: 'array', items: { type: 'string' } },
  ],
  nullable: true,
  description:
    'Tools whose calls a person has to approve: "writes" is every tool that does not declare itself read-only.',
} satisfies ApiPropertyOptions;

/** Whether an agent may use the server of the request. */
export class ServerAccessResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
  agentId!: string;
  /** @example "Release notes writer" */
  agentName!: string;
  granted!: boolean;
  /** Whether the agent does not have the server, whatever its profiles say. */
  refused!: boolean;
  @ApiProperty(toolNames)
  tools!: string[] | null;
  @ApiProperty(askedTools)
  ask!: AskedTools;
  @ApiProperty({ enum: approverRoles, enumName: 'ApproverRole' })
  approverRole!: ApproverRole;
  /**
   * The credential set that the agent's calls use.
   * @example default
   */
  credentialSet!: string;

  static from(row: AccessRow): ServerAccessResponse {
    return pick(
      row,
      'agentId',
      'agentName',
      'granted',
      'refused',
      'tools',
      'ask',
      'approverRole',
      'credentialSet',
    );
  }
}

/** Whether the agent of the request may use a server. */
export class AgentAccessResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
  serverId!: string;
  /** @example "Everything (reference)" */
  serverName!: string;
  granted!: boolean;
  /** Whether the agent does not have the server, whatever its profiles say. */
  refused!: boolean;
  @ApiProperty(toolNames)
  tools!: string[] | null;
  @ApiProperty(askedTools)
  ask!: AskedTools;
  @ApiProperty({ enum: approverRoles, enumName: 'ApproverRole' })
  approverRole!: ApproverRole;
  /**
   * The credential set that the agent's calls use.
   * @example default
   */
  credentialSet!: string;

  static from(row: AccessRow): AgentAccessResponse {
    return pick(
      row,
      'serverId',
      'serverName',
      'granted',
      'refused',
      'tools',
      'ask',
      'approverRole',
      'credentialSet',
    );
  }
}
