import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anIssue, aProject, createdBy } from '../../support/builders.js';
import { asAdmin } from '../../support/callers.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import { createDatabase, type TestDatabase } from '../../support/postgres.mjs';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { WebhookTarget } from '../../support/webhook-target.js';

/** With this statement graphile-worker asks for the ids of its tasks. It remembers the answer, also an error. */
const FIRST_LOOK = '_private_tasks as tasks where identifier = any(';

let database: TestDatabase;
let proxy: DatabaseProxy;
let target: WebhookTarget;
let service: Service;
beforeAll(async () => {
  database = await createDatabase();
  proxy = await DatabaseProxy.before(database.url);
  target = await WebhookTarget.start();
  const settings = { DATABASE_URL: proxy.url, OUTBOUND_ALLOWED_HOSTS: target.host };
  service = await startService({ database, settings });
});
afterAll(async () => {
  await service?.remove();
  await proxy?.stop();
  await target?.stop();
  await database?.drop();
});

it('sends webhooks also where the connection broke at the first look for deliveries', async () => {
  proxy.breakAt(FIRST_LOOK);
  const admin = await asAdmin(service);
  await createdBy(admin, '/api/webhooks', { url: target.url });
  await until(() => proxy.hasBroken);
  const { id } = await anIssue(admin, await aProject(admin));
  await until(() => target.of(id).length > 0);
  expect(target.of(id)[0]!.event.type).toBe('issue.created');
});
