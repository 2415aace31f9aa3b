import { ApiProperty } from '@nestjs/swagger';
import { roles, type Role } from '../../roles.js';
import type { UserEntity } from '../user.entity.js';

/** A person who works with the service. */
export class UserResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a01 */
  id!: string;
  /** @example ada@example.com */
  email!: string;
  /** @example "Ada Lovelace" */
  name!: string;
  @ApiProperty({ enum: roles, enumName: 'Role' })
  role!: Role;
  /** When the person was shut out; null while they may call. */
  disabledAt!: Date | null;
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: UserEntity): UserResponse {
    const { id, email, name, role, disabledAt, createdAt, updatedAt } = row;
    return Object.assign(new UserResponse(), { id, email, name, role, disabledAt, createdAt, updatedAt });
  }
}
