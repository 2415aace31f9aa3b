import { Client } from 'pg';
import { describe, expect, it } from '@jest/globals';
import { aProject, anIssue } from '../../support/builders.js';
import { anonymous, asEditor } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();
const ready = async () => (await anonymous(service).unchecked().get('/readyz')).body;

/** Runs one statement on a connection of its own: that of the service's database may be the one that is read-only. */
async function administer(text: string): Promise<void> {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query('SET default_transaction_read_only = off');
  await client.query(text);
  await client.end();
}

const nameOfDatabase = () => new URL(service.databaseUrl).pathname.slice(1);
/** Ends the sessions of the pool, since each took the setting when it began. */
const endSessions = () =>
  administer(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );

describe('a database that becomes read-only', () => {
  it('makes the service not ready, and refuses writes by that name; reads go on, and writes when it ends', async () => {
    const editor = await asEditor(service);
    const project = await aProject(editor);
    const issue = await anIssue(editor, project);
    // The next request of each key writes when it was used.
    await service.sql("UPDATE api_keys SET last_used_at = now() - interval '1 hour'");
    await administer(`ALTER DATABASE ${nameOfDatabase()} SET default_transaction_read_only = on`);
    await endSessions();
    await until(async () => JSON.stringify(await ready()).includes('read-only'));
    expect(await anonymous(service).unchecked().get('/readyz')).toMatchObject({
      status: 503,
      body: { status: 'unavailable', checks: { database: 'read-only' } },
    });
    const answer = await editor.post(`/api/projects/${project.id}/issues`, { title: 'refused' });
    expect(answer).toMatchObject({
      ...refused(503, 'database_read_only'),
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    });
    const requestId = answer.headers['x-request-id'];
    await until(() => service.log.includes(`"requestId":"${requestId}"`));
    const line = service.log.split('\n').find((text) => text.includes(`"requestId":"${requestId}"`));
    expect(JSON.parse(line!)).toMatchObject({
      level: 'warn',
      status: 503,
      cause: expect.stringMatching(/^25006 cannot execute \w+ in a read-only transaction$/),
    });
    expect((await editor.get(`/api/projects/issues/${issue.id}`)).status).toBe(200);
    await administer(`ALTER DATABASE ${nameOfDatabase()} RESET default_transaction_read_only`);
    await endSessions();
    await until(async () => (await anonymous(service).unchecked().get('/readyz')).status === 200);
    await anIssue(editor, project);
  });
});
