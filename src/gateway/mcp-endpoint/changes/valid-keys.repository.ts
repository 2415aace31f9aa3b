import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';

@Injectable()
export class ValidKeysRepository {
  constructor(private readonly database: DatabaseService) {}

  /** The keys among these that still exist and have not expired. */
  async among(keyIds: string[]): Promise<Set<string>> {
    const rows = await this.database.rows<{ id: string }>(
      'SELECT id FROM api_keys WHERE id = ANY($1::uuid[]) AND (expires_at IS NULL OR expires_at > now())',
      [keyIds],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
