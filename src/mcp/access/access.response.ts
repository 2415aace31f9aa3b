import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { pick } from '../../platform/http/pick.js';
import { type ServerStatus, serverStatuses } from '../server-records/server-records.entities.js';
import { type ApproverRole, approverRoles, type AskedTools } from './access.entities.js';
import { advertisedName, advertisedNames } from './advertised-name.js';
import {
  type AccessSource,
  accessSources,
  type RefusalReason,
  refusalReasons,
} from './effective-access-and-refusals.js';
import type { AccessRow } from './server-grants.repository.js';
import type { AgentToolRow } from './tool-access.service.js';

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

/** A tool of an installed server, and whether the agent may use it. */
export class AgentToolResponse {
  /** @example echo */
  name!: string;
  /**
   * The name under which the agent sees the tool.
   * @example everything__echo
   */
  advertisedName!: string;
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
  serverId!: string;
  /** @example "Everything (reference)" */
  serverName!: string;
  allowed!: boolean;
  @ApiProperty({
    type: 'string',
    enum: [...refusalReasons, null],
    nullable: true,
    description: 'Why the agent may not use the tool; null if it may.',
  })
  reason!: RefusalReason | null;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Why clients would refuse the definition of the tool, where it is invalid; otherwise null.',
    example: null,
  })
  invalidReason!: string | null;
  @ApiProperty({ description: 'Whether a person has to approve each call of the agent.' })
  ask!: boolean;
  @ApiProperty({
    type: 'string',
    enum: [...accessSources, null],
    nullable: true,
    description:
      'Where the right to use the server comes from; null for a server that the agent has from nowhere.',
  })
  source!: AccessSource | null;
  /**
   * The names of the profiles of the agent that have the server.
   * @example ["Support team"]
   */
  profiles!: string[];
  /**
   * The credential set that calls of the agent use.
   * @example default
   */
  credentialSet!: string;

  /** @param rows all of an agent: a server's names depend on one another */
  static all(rows: AgentToolRow[]): AgentToolResponse[] {
    const servers = new Map<string, AgentToolRow[]>(rows.map(({ slug }) => [slug, []]));
    for (const row of rows) if (row.reason === null) servers.get(row.slug)!.push(row);
    const advertised = new Map<AgentToolRow, string>();
    for (const [slug, allowed] of servers) {
      const names = advertisedNames(
        slug,
        allowed.map(({ name }) => name),
      );
      for (const [at, row] of allowed.entries()) advertised.set(row, names[at]!);
    }
    return rows.map((row) =>
      AgentToolResponse.from(row, advertised.get(row) ?? advertisedName(row.slug, row.name)),
    );
  }

  private static from({ slug: _slug, reason, ...row }: AgentToolRow, name: string): AgentToolResponse {
    const allowed = reason === null;
    return {
      ...pick(
        row,
        'name',
        'serverId',
        'serverName',
        'invalidReason',
        'ask',
        'source',
        'profiles',
        'credentialSet',
      ),
      advertisedName: name,
      allowed,
      reason,
    };
  }
}
