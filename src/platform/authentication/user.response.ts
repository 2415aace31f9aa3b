import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../http/pick.js';
import { type Principal, type Role, roles } from './principal.js';
import type { UserRow } from './user.repository.js';

/** The identity of the caller. */
export class MeResponse {
  @ApiProperty({ enum: ['user', 'agent'] })
  type!: 'user' | 'agent';
  id!: string;
  /** @example "Ada Lovelace" */
  name!: string;
  /** Users only. */
  email?: string;
  @ApiProperty({
    enum: roles,
    enumName: 'Role',
    required: false,
    description: 'Users only: the role of the user, or the lower one of the key in use.',
  })
  role?: Role;
  @ApiProperty({
    enum: ['password', 'oidc'],
    required: false,
    description: 'Sessions only: how the session in use began. Elevated mode is confirmed in the same way.',
  })
  signedInWith?: 'password' | 'oidc';
  /** When the key in use expires; null means never, or a session. */
  keyExpiresAt!: Date | null;

  static from(caller: Principal): MeResponse {
    const user = caller.type === 'user' ? pick(caller, 'email', 'role') : {};
    const signedInWith = caller.type === 'user' ? caller.signedInWith : null;
    const session = signedInWith === null ? {} : { signedInWith };
    return { ...pick(caller, 'type', 'id', 'name'), ...user, ...session, keyExpiresAt: caller.keyExpiresAt };
  }
}

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
