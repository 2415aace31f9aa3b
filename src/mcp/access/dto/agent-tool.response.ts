import { ApiProperty } from '@nestjs/swagger';
import { advertisedName } from '../advertised-name.js';
import type { AgentToolRow } from '../tool-access.repository.js';
import { refusalReasons, type RefusalReason } from '../tool-verdict.js';

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

  static from({ name, serverId, serverName, slug, reason }: AgentToolRow): AgentToolResponse {
    const allowed = reason === null;
    return { name, advertisedName: advertisedName(slug, name), serverId, serverName, allowed, reason };
  }
}
