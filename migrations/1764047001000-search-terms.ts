import type { MigrationInterface, QueryRunner } from 'typeorm';

/** So many issues are read at once, outside the transactions of others. */
const BATCH = 5_000;
/** Less than PostgreSQL waits before it looks for a deadlock: this migration steps back before a request is ended. */
const LOCK_WAIT = '500ms';
const LOCK_ATTEMPTS = 240;

/**
 * The search words of an issue become the terms that contract §5.2 finds: words folded without regard to case, pairs of
 * neighbours where a script has no spaces, and pairs of words that one character joins (`1.2`, `pay-1771`). Terms of the
 * title have the mark `t `, so that matches in titles are found by themselves.
 *
 * Building an index of 100,000 issues at once takes a twentieth of the time of adding them to one. A second table
 * is therefore filled and indexed while the first one serves, and takes its name at the end. Only that step holds locks.
 */
export class SearchTerms1764047001000 implements MigrationInterface {
  name = 'SearchTerms1764047001000';
  /** Each step commits by itself. A migration that was interrupted begins again. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createFunctions(runner, await foldingCollation(runner));
    await replaceWords(
      runner,
      (issue) => `words_of_issue(${issue}.title, ${issue}.description, ${issue}.project_id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceWords(runner, wordsBefore);
    await runner.query(`DROP FUNCTION words_of_issue, search_terms`);
  }
}

/** SQL of the words of an issue. @param issue its row */
type WordsOf = (issue: string) => string;

const wordsBefore: WordsOf = (issue) =>
  `to_tsvector('simple', ${issue}.title || ' ' || ${issue}.description)
   || array_to_tsvector(ARRAY['in ' || ${issue}.project_id::text])`;

/** The rules of all scripts, where this PostgreSQL has them; those of a single locale otherwise. */
async function foldingCollation(runner: QueryRunner): Promise<string> {
  const wanted = ['pg_unicode_fast', 'und-x-icu', 'pg_c_utf8'];
  const [found] = await runner.query(
    `SELECT collname AS name FROM pg_collation WHERE collname = ANY($1) ORDER BY array_position($1, collname::text) LIMIT 1`,
    [wanted],
  );
  return `"${found?.name ?? 'default'}"`;
}

const JOINERS = '@/:.+#_-';
const UNSPACED =
  '\\u0e01-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u30fa' +
  '\\u30fc-\\u9fff\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff';
const SEPARATORS =
  '\\u0001-"$-*,;-?[-^`{-\\u00bf\\u00d7\\u00f7\\u2000-\\u206f\\u20a0-\\u20cf\\u2190-\\u25ff\\u2e00-\\u2e7f\\u3000-\\u3004' +
  '\\u3008-\\u3020\\u3030\\u30fb\\ufe00-\\ufe6f\\ufeff\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u0589\\u05be\\u05c3';

async function createFunctions(runner: QueryRunner, collation: string): Promise<void> {
  // Most texts are ASCII, for which the short path takes half the time. The service makes the terms of a query by the
  // same rules (src/work/issues/list/search-terms.ts).
  await runner.query(`
    CREATE OR REPLACE FUNCTION search_terms(t text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    DECLARE
      runs text;
      parts text[];
      terms text[];
    BEGIN
      IF octet_length(t) = length(t) THEN
        t := regexp_replace(lower(t COLLATE "C"), '[^a-z0-9${JOINERS}]+', ' ', 'g');
      ELSE
        t := lower(upper(normalize(t, NFKC) COLLATE ${collation}));
        t := regexp_replace(translate(t, U&'\\03C2\\0307', U&'\\03C3'), '[${SEPARATORS}]+', ' ', 'g');
        IF t ~ '[${UNSPACED}]' THEN
          runs := regexp_replace(t, '[^${UNSPACED}]+', ' ', 'g');
          t := regexp_replace(t, '[${UNSPACED}]+', ' ', 'g')
            || ' ' || regexp_replace(runs, '[^ ]{2}', '\\& ', 'g')
            || ' ' || regexp_replace(regexp_replace(runs, '(^| )[^ ]', '\\& ', 'g'), '[^ ]{2}', '\\& ', 'g');
        END IF;
      END IF;
      terms := string_to_array(translate(t, '${JOINERS}', '${' '.repeat(JOINERS.length)}'), ' ');
      -- Where a word can be too long for an index, each is cut; a query costs more than the functions.
      terms := CASE WHEN length(t) <= 200 THEN array_remove(terms, '')
        ELSE ARRAY(SELECT left(word, 200) FROM unnest(terms) AS word WHERE word <> '') END;
      IF t ~ '[^ ${JOINERS}][${JOINERS}][^ ${JOINERS}]' THEN
        parts := string_to_array(regexp_replace(t, '[${JOINERS}]', ' \\&', 'g'), ' ');
        terms := terms || ARRAY(SELECT left(ltrim(part, '${JOINERS}') || next, 400) FROM unnest(parts, parts[2:]) AS n(part, next)
          WHERE strpos('${JOINERS}', left(next, 1)) > 0 AND length(next) > 1 AND ltrim(part, '${JOINERS}') <> '');
        IF t ~ '[^ 0-9${JOINERS}][0-9]+[${JOINERS}][^ ${JOINERS}]' THEN
          terms := terms || ARRAY(SELECT left(m[1], 400)
            FROM regexp_matches(t, '[^ 0-9${JOINERS}]([0-9]+[${JOINERS}][^ ${JOINERS}]+)', 'g') AS m);
        END IF;
      END IF;
      RETURN terms;
    END $$`);
  await runner.query(`
    CREATE OR REPLACE FUNCTION words_of_issue(title text, description text, project_id uuid) RETURNS tsvector
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    DECLARE
      of_title text[] := search_terms(title);
    BEGIN
      -- Each term of the title once more with its mark, by functions that need no query.
      RETURN array_to_tsvector(of_title || search_terms(description)
        || string_to_array('t ' || array_to_string(of_title, E'\\nt '), E'\\n') || ('in ' || project_id));
    END $$`);
}

/** Fills a second table, indexes it, and lets it take the place of the first. */
async function replaceWords(runner: QueryRunner, wordsOf: WordsOf): Promise<void> {
  const [{ begun }] = await runner.query(`SELECT (now() - interval '1 hour')::text AS begun`);
  await runner.query(`DROP TABLE IF EXISTS issue_words_next`);
  await runner.query(`
    CREATE TABLE issue_words_next (issue_id uuid CONSTRAINT issue_words_next_pk PRIMARY KEY, words tsvector NOT NULL)`);
  for (let after = '00000000-0000-0000-0000-000000000000'; after;) {
    const [last] = await runner.query(
      `WITH batch AS MATERIALIZED (SELECT * FROM issues WHERE id > $1 ORDER BY id LIMIT ${BATCH}),
            filled AS (INSERT INTO issue_words_next SELECT i.id, ${wordsOf('i')} FROM batch i)
       SELECT id FROM batch ORDER BY id DESC LIMIT 1`,
      [after],
    );
    after = last?.id;
  }
  await runner.query(
    `CREATE INDEX issue_words_next_search ON issue_words_next USING gin (words) WITH (fastupdate = off)`,
  );
  await runner.query(`ANALYZE issue_words_next`);
  await lockIssues(runner);
  await runner.query(
    `DELETE FROM issue_words_next w WHERE NOT EXISTS (SELECT FROM issues i WHERE i.id = w.issue_id)`,
  );
  // No transaction lasts an hour: what changed since then is not in the second table, or with its text of before.
  await runner.query(
    `INSERT INTO issue_words_next SELECT i.id, ${wordsOf('i')} FROM issues i WHERE i.updated_at >= $1
     ON CONFLICT (issue_id) DO UPDATE SET words = excluded.words`,
    [begun],
  );
  await takePlace(runner, wordsOf);
  await runner.commitTransaction();
}

/** Begins a transaction beside which no request reads or writes issues. */
async function lockIssues(runner: QueryRunner): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await runner.startTransaction();
    try {
      await runner.query(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
      return await runner.query(`LOCK TABLE issues, issue_words IN ACCESS EXCLUSIVE MODE`);
    } catch (error) {
      await runner.rollbackTransaction();
      if (attempt === LOCK_ATTEMPTS) throw error;
    }
  }
}

async function takePlace(runner: QueryRunner, wordsOf: WordsOf): Promise<void> {
  await runner.query(`DROP TABLE issue_words`);
  await runner.query(`ALTER TABLE issue_words_next RENAME TO issue_words`);
  await runner.query(`ALTER TABLE issue_words RENAME CONSTRAINT issue_words_next_pk TO issue_words_pk`);
  await runner.query(`ALTER INDEX issue_words_next_search RENAME TO issue_words_search`);
  await runner.query(`
    ALTER TABLE issue_words ADD CONSTRAINT issue_words_issue_fk FOREIGN KEY (issue_id) REFERENCES issues ON DELETE CASCADE`);
  await runner.query(`
    CREATE OR REPLACE FUNCTION keep_issue_words() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO issue_words (issue_id, words) VALUES (NEW.id, ${wordsOf('NEW')})
      ON CONFLICT (issue_id) DO UPDATE SET words = excluded.words;
      RETURN NULL;
    END $$`);
}
