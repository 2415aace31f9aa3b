import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../../http/pick.js';
import type { Principal } from '../../principal.js';
import { roles, type Role } from '../../roles.js';

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
