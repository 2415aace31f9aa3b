import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Questions that a server asks about a call (contract §5.7). Such a question has a row in `tool_approvals`, like an
 * approval, and holds its issue after a late answer until the call was finished.
 */
export class QuestionsOfCalls1763996001000 implements MigrationInterface {
  name = 'QuestionsOfCalls1763996001000';

  async up(runner: QueryRunner): Promise<void> {
    await this.setKinds(runner, `'approval', 'question'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE gates SET holds = false WHERE kind = 'question' AND state = 'answered'`);
    await this.setKinds(runner, `'approval'`);
  }

  private async setKinds(runner: QueryRunner, kinds: string): Promise<void> {
    await runner.query(`
      ALTER TABLE gates DROP CONSTRAINT gates_hold_while_undecided,
        ADD CONSTRAINT gates_hold_while_undecided CHECK (NOT holds OR state = 'open'
          OR (kind IN (${kinds}) AND state = 'answered' AND outcome IS NULL))`);
  }
}
