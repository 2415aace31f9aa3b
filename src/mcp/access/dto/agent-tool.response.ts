import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../../platform/http/pick.js';
import { advertisedName } from '../advertised-name.js';
import type { AgentToolRow } from '../tool-access.repository.js';
import { accessSources, refusalReasons, type AccessSource, type RefusalReason } from '../tool-verdict.js';

/** A tool of an installed server, and whether the agent may use it. */
export class AgentToolResponse {
  /** @example echo */
  name!: string;
  /**
   * The name under which the agent sees the tool.
   * @example everything-refer__echo
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

  static from({ slug, reason, ...row }: AgentToolRow): AgentToolResponse {
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
      advertisedName: advertisedName(slug, row.name),
      allowed,
      reason,
    };
  }
}
