import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../../http/pick.js';
import { roles, type Role } from '../../roles.js';
import type { UserRow } from '../users.repository.js';

/** A user of the service. */
export class UserResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a01 */
  id!: string;
  /** @example ada@example.com */
  email!: string;
  /** @example "Ada Lovelace" */
  name!: string;
  @ApiProperty({ enum: roles, enumName: 'Role' })
  role!: Role;
  /** When the user was disabled; null while the user is enabled. */
  disabledAt!: Date | null;
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: UserRow): UserResponse {
    return pick(row, 'id', 'email', 'name', 'role', 'disabledAt', 'createdAt', 'updatedAt');
  }
}
