import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an audit looks for, each newest first. Time has a BRIN index: rows lie in its order, and it costs next to nothing. */
export class JournalAudit1763700012000 implements MigrationInterface {
  name = 'JournalAudit1763700012000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX journal_type ON journal (type, position)`);
    await runner.query(
      `CREATE INDEX journal_actor ON journal (actor_id, position) WHERE actor_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX journal_subject ON journal (subject_id, position) WHERE subject_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX journal_project ON journal (project_id, position) WHERE project_id IS NOT NULL`,
    );
    await runner.query(`CREATE INDEX journal_time ON journal USING brin (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP INDEX journal_type, journal_actor, journal_subject, journal_project, journal_time`,
    );
  }
}
