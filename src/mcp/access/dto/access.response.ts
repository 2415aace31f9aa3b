import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { AccessRow } from '../access.repository.js';

const narrowed: ApiPropertyOptions = {
  type: 'string',
  isArray: true,
  nullable: true,
  description: 'Names of the tools that it is narrowed to; null for all approved ones.',
};

/** Whether an agent may use the server asked about. */
export class ServerAccessResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
  agentId!: string;
  /** @example "Release notes writer" */
  agentName!: string;
  granted!: boolean;
  @ApiProperty(narrowed)
  tools!: string[] | null;

  static from({ agentId, agentName, granted, tools }: AccessRow): ServerAccessResponse {
    return Object.assign(new ServerAccessResponse(), { agentId, agentName, granted, tools });
  }
}

/** Whether the agent asked about may use a server. */
export class AgentAccessResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
  serverId!: string;
  /** @example "Everything (reference)" */
  serverName!: string;
  granted!: boolean;
  @ApiProperty(narrowed)
  tools!: string[] | null;

  static from({ serverId, serverName, granted, tools }: AccessRow): AgentAccessResponse {
    return Object.assign(new AgentAccessResponse(), { serverId, serverName, granted, tools });
  }
}
