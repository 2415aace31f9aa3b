import { expect, it } from '@jest/globals';
import { Client } from 'pg';
import { aProject, anIssue } from '../../support/builders.js';
import { useService } from '../../support/service.js';

const service = useService({ settings: { DATABASE_POOL_SIZE: '30' }, ownProcess: true });
const ROUNDS = 5;
const AT_ONCE = 30;

it('requests wait for a connection of the pool where PostgreSQL has none left for a further one', async () => {
  const project = await aProject(service.owner);
  const issue = await anIssue(service.owner, project);
  const name = new URL(service.databaseUrl).pathname.slice(1);
  const other = new Client({ connectionString: service.databaseUrl });
  await other.connect();
  const { rows } = await other.query<{ open: number }>(
    'SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database()',
  );
  await other.query(`ALTER DATABASE "${name}" CONNECTION LIMIT ${rows[0]!.open}`);
  await expect(new Client({ connectionString: service.databaseUrl }).connect()).rejects.toMatchObject({
    code: '53300',
  });
  const statuses = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) =>
        service.owner.post(`/api/projects/issues/${issue.id}/comments`, { content: `${round} ${at}` }),
      ),
    );
    for (const { status } of answers) statuses.add(status);
  }
  await other.query(`ALTER DATABASE "${name}" CONNECTION LIMIT -1`);
  await other.end();
  expect([...statuses]).toEqual([201]);
});
