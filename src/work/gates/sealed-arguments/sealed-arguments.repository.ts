import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';

/** Stores the sealed arguments of calls that wait for an approval. */
@Injectable()
export class SealedArgumentsRepository {
  constructor(private readonly database: DatabaseService) {}

  async put(gateId: string, sealed: string): Promise<void> {
    await this.database.change('INSERT INTO gate_arguments (gate_id, sealed) VALUES ($1, $2)', [
      gateId,
      sealed,
    ]);
  }

  /**
   * Returns the sealed arguments of these gates, by gate.
   * @param most bytes of a value; larger ones are left out
   */
  async find(gateIds: string[], most: number): Promise<Map<string, string>> {
    if (gateIds.length === 0) return new Map();
    const rows = await this.database.rows<{ id: string; sealed: string }>(
      `SELECT gate_id AS id, sealed FROM gate_arguments WHERE gate_id = ANY($1::uuid[]) AND octet_length(sealed) <= $2::bigint`,
      [gateIds, most],
    );
    return new Map(rows.map(({ id, sealed }) => [id, sealed]));
  }

  async delete(gateId: string): Promise<void> {
    await this.database.change('DELETE FROM gate_arguments WHERE gate_id = $1', [gateId]);
  }

  /** Deletes the arguments of calls that wait no more: not approved, or executed. */
  async deleteUnneeded(): Promise<void> {
    await this.database.change(
      `DELETE FROM gate_arguments a USING gates g
       WHERE g.id = a.gate_id AND g.state <> 'open'
         AND (g.outcome IS NOT NULL OR g.state <> 'answered' OR g.answer ->> 'decision' = 'deny')`,
    );
  }
}
