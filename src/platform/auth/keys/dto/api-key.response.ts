import { ApiProperty } from '@nestjs/swagger';
import { roles, type Role } from '../../roles.js';
import type { ApiKeyEntity } from '../api-key.entity.js';

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
    description: 'What the key is narrowed to; null: the role of its owner.',
  })
  role!: Role | null;
  expiresAt!: Date | null;
  lastUsedAt!: Date | null;
  createdAt!: Date;

  static from(row: ApiKeyEntity): ApiKeyResponse {
    const { id, name, prefix, role, expiresAt, lastUsedAt, createdAt } = row;
    return Object.assign(new ApiKeyResponse(), { id, name, prefix, role, expiresAt, lastUsedAt, createdAt });
  }
}

/** A key that was just made: the only answer that ever holds it. */
export class NewApiKeyResponse extends ApiKeyResponse {
  /** @example awp_u_0123456789012345678901234567890123456789012abcdef */
  key!: string;

  static of({ row, key }: { row: ApiKeyEntity; key: string }): NewApiKeyResponse {
    return Object.assign(new NewApiKeyResponse(), ApiKeyResponse.from(row), { key });
  }
}
