import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aProject, anIssue, createdBy } from '../../support/builders.js';
import { KEYS } from '../../support/key-ring.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { isSignedWith, WebhookTarget } from '../../support/webhook-target.js';

let target: WebhookTarget;
let service: Service;
beforeAll(async () => {
  target = await WebhookTarget.start();
  service = await startService({ settings: { OUTBOUND_ALLOWED_HOSTS: target.host } });
});
afterAll(async () => {
  await service?.remove();
  await target?.stop();
});

const keys = (...words: string[]) =>
  promisify(execFile)(process.execPath, [KEYS, ...words], {
    env: { PATH: process.env['PATH'], DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir },
  });

it('a delivery is signed with the secret of its webhook after the key that sealed it was retired', async () => {
  const project = await aProject(service.owner);
  const { secret } = await createdBy<{ secret: string }>(service.owner, '/api/webhooks', {
    url: target.url,
    projectId: project.id,
  });
  await service.stop();
  await keys('add');
  await keys('rotate');
  await keys('retire', 'k1');
  await keys('check');
  const sealed = await service.sql<{ sealed: string }>('SELECT sealed FROM webhook_secrets');
  expect(sealed.map((row) => row.sealed.split('.')[1])).toEqual(['k2']);
  await service.start();
  const issue = await anIssue(service.owner, project);
  await until(() => target.of(issue.id).length > 0);
  expect(isSignedWith(secret, target.of(issue.id)[0]!)).toBe(true);
});
