import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../../../platform/http/pick.js';
import type { AskedTools } from '../../access.repository.js';
import { askedTools, toolNames } from '../../dto/access.response.js';
import type { ProfileRow } from '../profiles.repository.js';

/** The access to one server that a profile gives. */
export class ProfileEntryResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
  serverId!: string;
  @ApiProperty(toolNames)
  tools!: string[] | null;
  @ApiProperty(askedTools)
  ask!: AskedTools;
  /** @example default */
  credentialSet!: string;
}

/** Access to several servers that several agents have together. */
export class ProfileResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a31 */
  id!: string;
  /** @example Writers */
  name!: string;
  /** Grows with each PUT. It is the ETag. */
  @ApiProperty({ type: 'integer' })
  version!: number;
  /** Oldest server first. */
  @ApiProperty({ type: [ProfileEntryResponse] })
  entries!: ProfileEntryResponse[];
  agentIds!: string[];
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: ProfileRow): ProfileResponse {
    return pick(row, 'id', 'name', 'version', 'entries', 'agentIds', 'createdAt', 'updatedAt');
  }
}
