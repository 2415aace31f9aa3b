import { ApiProperty } from '@nestjs/swagger';
import { roles, type Role } from '../../../platform/auth/roles.js';
import { pick } from '../../../platform/http/pick.js';
import type { MemberRow } from '../members/members.repository.js';

/** A member of a project: a user or an agent. */
export class MemberResponse {
  userId!: string | null;
  agentId!: string | null;
  /** @example "Ada Lovelace" */
  name!: string;
  @ApiProperty({ enum: roles, enumName: 'Role' })
  role!: Role;

  static from(row: MemberRow): MemberResponse {
    return pick(row, 'userId', 'agentId', 'name', 'role');
  }
}
