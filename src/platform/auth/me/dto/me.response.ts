import { ApiProperty } from '@nestjs/swagger';
import type { Principal } from '../../principal.js';
import { roles, type Role } from '../../roles.js';

/** Who the caller is. */
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
    description: 'Users only; narrowed by the key used.',
  })
  role?: Role;
  /** When the key used here ends; null: never, or a session. */
  keyExpiresAt!: Date | null;

  static from(caller: Principal): MeResponse {
    const { type, id, name, keyExpiresAt } = caller;
    const user = caller.type === 'user' ? { email: caller.email, role: caller.role } : {};
    return Object.assign(new MeResponse(), { type, id, name, ...user, keyExpiresAt });
  }
}
