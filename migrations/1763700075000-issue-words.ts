import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a search looks for lies beside the issues, not in them: a new version of a row goes into every index of its
 * table, and an issue changes its status more often than its text. As before, the project is a lexeme that no text
 * can give (it holds a space). The column `issues.search` stays for the build before this one, which reads it; only
 * its index, a third of each change of status, goes.
 */
export class IssueWords1763700075000 implements MigrationInterface {
  name = 'IssueWords1763700075000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE issue_words (
        issue_id uuid CONSTRAINT issue_words_pk PRIMARY KEY CONSTRAINT issue_words_issue_fk REFERENCES issues ON DELETE CASCADE,
        words    tsvector NOT NULL
      )`);
    await runner.query(`
      CREATE FUNCTION keep_issue_words() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO issue_words (issue_id, words) VALUES (NEW.id, ${wordsOf('NEW')})
        ON CONFLICT (issue_id) DO UPDATE SET words = excluded.words;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER issue_words_kept AFTER INSERT OR UPDATE OF title, description ON issues
      FOR EACH ROW EXECUTE FUNCTION keep_issue_words()`);
    await runner.query(
      `INSERT INTO issue_words (issue_id, words) SELECT i.id, ${wordsOf('i')} FROM issues i`,
    );
    await runner.query(
      `CREATE INDEX issue_words_search ON issue_words USING gin (words) WITH (fastupdate = off)`,
    );
    await runner.query(`DROP INDEX issues_search`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX issues_search ON issues USING gin (search) WITH (fastupdate = off)`);
    await runner.query(`DROP TRIGGER issue_words_kept ON issues`);
    await runner.query(`DROP FUNCTION keep_issue_words`);
    await runner.query(`DROP TABLE issue_words`);
  }
}

const wordsOf = (issue: string) =>
  `to_tsvector('simple', ${issue}.title || ' ' || ${issue}.description)
   || array_to_tsvector(ARRAY['in ' || ${issue}.project_id::text])`;
