import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keeps each tool as its server wrote it, with its members in their order, its place in the list, and why clients would
 * refuse it (contract §3.3). jsonb orders members by the length of their names, so `written` is json. It belongs to the
 * definition whose hash is `written_for`: the release before this one changes `definition` and `hash` alone, and reads
 * `definition` with operators that json lacks.
 */
export class WrittenTools1764043001000 implements MigrationInterface {
  name = 'WrittenTools1764043001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE server_tools
        ADD written json,
        ADD written_for text,
        ADD approved_written json,
        ADD invalid_reason text,
        ADD position integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE server_tools
        DROP written, DROP written_for, DROP approved_written, DROP invalid_reason, DROP position`);
  }
}
