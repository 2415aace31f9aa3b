import { ApiProperty } from '@nestjs/swagger';
import { roles, type Role } from '../../roles.js';
import { pick } from '../../../http/pick.js';
import type { ApiKeyRow } from '../api-keys.repository.js';

/** A key without its secret. */
export class ApiKeyResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a02 */
  id!: string;
  /** @example laptop */
  name!: string;
  /**
   * The first 12 characters, to recognise the key by.
   * @example awp_u_3kT9aZ
   */
  prefix!: string;
  @ApiProperty({
    enum: roles,
    enumName: 'Role',
    nullable: true,
    description: 'The role that the key is limited to; null means the role of its owner.',
  })
  role!: Role | null;
  /** The key that this one was made with: it ends with that key. */
  @ApiProperty({ type: String, nullable: true })
  parentKeyId!: string | null;
  expiresAt!: Date | null;
  lastUsedAt!: Date | null;
  createdAt!: Date;

  static from(row: ApiKeyRow): ApiKeyResponse {
    return pick(row, 'id', 'name', 'prefix', 'role', 'parentKeyId', 'expiresAt', 'lastUsedAt', 'createdAt');
  }
}

/** A new key with its secret. No other response holds it. */
export class NewApiKeyResponse extends ApiKeyResponse {
  /** @example awp_u_0123456789012345678901234567890123456789012abcdef */
  key!: string;

  static of({ row, key }: { row: ApiKeyRow; key: string }): NewApiKeyResponse {
    return { ...ApiKeyResponse.from(row), key };
  }
}
