import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createdBy } from '../../../support/builders.js';
import { migratedUntil } from '../../../support/migrated.js';
import { dropDatabase, urlOf, withAdmin } from '../../../support/postgres.mjs';
import { useService } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { WebhookTarget } from '../../../support/webhook-target.js';
import { examine } from './examination.js';
import { byCommand, byHand, plantEach } from './fault.js';

const settings: Record<string, string> = {};
const service = useService({ settings });
let target: WebhookTarget;
let folder = '';
const at = (...names: string[]) => join(folder, ...names);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-faults-'));
  target = await WebhookTarget.start();
  settings['OUTBOUND_ALLOWED_HOSTS'] = target.host;
  await restart();
  await createdBy(service.owner, '/api/webhooks', { url: target.url });
});
afterAll(async () => {
  await target.stop();
  await rm(folder, { recursive: true, force: true });
});

const healthy = () => ({
  settings: {
    DATABASE_URL: service.databaseUrl,
    DATA_DIR: service.dataDir,
    PORT: new URL(service.baseUrl).port,
  },
});
async function restart(): Promise<void> {
  await service.stop();
  await service.start();
}

describe('npm run doctor names the work that is not done, and its fix works:', () => {
  plantEach(healthy, [
    {
      fault: 'periodic work that fails again and again',
      check: 'chores',
      level: 'warn',
      says: /^the periodic work 'ended snoozes' has failed 3 times in a row$/,
      plant: async () => {
        await service.sql('ALTER TABLE attention_snoozes RENAME TO snoozes_away');
        for (let time = 0; time < 3; time += 1) {
          await service.sql(
            `UPDATE chores SET ran_at = now() - interval '1 day' WHERE name = 'ended snoozes'`,
          );
          await restart();
          await until(async () => (await failures()) === time + 1);
        }
      },
      follow: byHand(
        /^remove the cause that the log names after 'The chore "ended snoozes" failed', and restart/,
        async () => {
          expect(service.log).toMatch(/The chore \\"ended snoozes\\" failed.*attention_snoozes/);
          await service.sql('ALTER TABLE snoozes_away RENAME TO attention_snoozes');
          await service.sql(
            `UPDATE chores SET ran_at = now() - interval '1 day' WHERE name = 'ended snoozes'`,
          );
          await restart();
          await until(async () => (await failures()) === 0);
        },
      ),
    },
    {
      fault: 'a service that runs and does no periodic work',
      check: 'chores',
      level: 'warn',
      says: /^the service runs, and its last periodic work was 120 minutes ago$/,
      plant: () => service.sql(`UPDATE chores SET ran_at = now() - interval '2 hours'`).then(() => undefined),
      follow: byHand('restart the service', async () => {
        await restart();
        await until(
          async () =>
            (await service.sql(`SELECT 1 FROM chores WHERE ran_at > now() - interval '1 minute'`)).length > 0,
        );
      }),
    },
    {
      fault: 'a webhook whose address is gone',
      check: 'webhooks',
      level: 'warn',
      says: /^1 ended because the address is gone: 127\.0\.0\.1:\d+ \([\w-]+\)$/,
      plant: async () => {
        target.answer = (_, response) => void response.writeHead(410).end();
        await createdBy(service.owner, '/api/projects', { key: 'GONE', name: 'Gone' });
        await until(async () => (await ended()).length > 0);
        await service.sql(`UPDATE webhooks SET disabled = true WHERE disabled_reason IS NULL`);
      },
      follow: byHand(/^give it the address of its receiver and enable it again/, async () => {
        target.answer = (_, response) => void response.end();
        for (const { id } of await ended())
          expect(
            (await service.owner.put(`/api/webhooks/${id}`, { url: target.url, disabled: false })).status,
          ).toBe(200);
      }),
    },
    {
      fault: 'events that wait for their receiver',
      check: 'webhooks',
      level: 'warn',
      says: /^events wait to be sent to 127\.0\.0\.1:\d+ \([\w-]+\) for 60 minutes$/,
      plant: async () => {
        target.answer = (_, response) => void response.writeHead(503).end();
        await createdBy(service.owner, '/api/projects', { key: 'LATE', name: 'Late' });
        await until(async () => (await pending()).length > 0);
        await service.sql(
          `UPDATE webhook_deliveries SET created_at = created_at - interval '1 hour' WHERE status = 'pending'`,
        );
      },
      follow: byHand(/^bring that receiver back/, async () => {
        target.answer = (_, response) => void response.end();
        for (const { webhook, id } of await pending())
          await service.owner.post(`/api/webhooks/${webhook}/deliveries/${id}/redeliver`);
        await until(async () => (await pending()).length === 0);
      }),
    },
  ]);

  const failures = async () =>
    (await service.sql<{ failures: number }>(`SELECT failures FROM chores WHERE name = 'ended snoozes'`))[0]
      ?.failures;
  const ended = () =>
    service.sql<{ id: string }>('SELECT id::text FROM webhooks WHERE disabled_reason IS NOT NULL');
  const pending = () =>
    service.sql<{ id: string; webhook: string }>(
      `SELECT id::text, webhook_id::text AS webhook FROM webhook_deliveries WHERE status = 'pending'`,
    );
});

describe('npm run doctor names what is wrong with the backups, and its fix works:', () => {
  const aged = (name: string, days: number) =>
    service.sql(`UPDATE chores SET succeeded_at = now() - make_interval(days => $2) WHERE name = $1`, [
      name,
      days,
    ]);
  const follow = (fix: string) => byCommand(fix, healthy().settings, at('backups'), at('rings'));
  plantEach(healthy, [
    {
      fault: 'none',
      check: 'backup',
      level: 'warn',
      says: /^none was made by npm run backup$/,
      plant: async () => {
        await service.sql(
          `INSERT INTO chores (name, ran_at, succeeded_at) VALUES ('restore drill', now(), now())`,
        );
      },
      follow,
    },
    {
      fault: 'one that is too old',
      check: 'backup',
      level: 'warn',
      says: /^the last one is 3 day\(s\) old$/,
      plant: () => aged('backup', 3).then(() => undefined),
      follow,
    },
    {
      fault: 'one that failed',
      check: 'backup',
      level: 'warn',
      says: /^the last 1 attempt\(s\) failed; the last one is 0 day\(s\) old$/,
      plant: async () => {
        await writeFile(at('no-folder'), '');
        await expect(
          byCommand('`npm run backup -- FOLDER`', healthy().settings, at('no-folder')),
        ).rejects.toThrow();
      },
      follow,
    },
    {
      fault: 'none that was restored on trial',
      check: 'backup',
      level: 'warn',
      says: /^the last one is 0 day\(s\) old; none was restored on trial yet$/,
      plant: async () => {
        await service.sql(`DELETE FROM chores WHERE name = 'restore drill'`);
        await byCommand(
          '`npm run backup -- FOLDER --ring FOLDER`',
          healthy().settings,
          at('backups'),
          at('rings'),
        );
      },
      follow,
    },
    {
      fault: 'a restore on trial that is too old',
      check: 'backup',
      level: 'warn',
      says: /; the last restore on trial is 20 day\(s\) old$/,
      plant: () => aged('restore drill', 20).then(() => undefined),
      follow,
    },
    {
      fault: 'a restore on trial that failed',
      check: 'backup',
      level: 'warn',
      says: /; the last 1 restore\(s\) on trial failed$/,
      plant: async () => {
        await mkdir(at('empty'));
        const drill = '`npm run restore:drill -- FOLDER`';
        await expect(byCommand(drill, healthy().settings, at('empty'))).rejects.toThrow();
      },
      follow,
    },
  ]);
});

it('finds no error in a database that an earlier version has migrated', async () => {
  const name = `awp_test_doctor_${process.pid}`;
  await withAdmin((client) => client.query(`CREATE DATABASE ${name}`));
  await migratedUntil(urlOf(name), '1763700021000');
  const { code, verdicts } = await examine({ DATABASE_URL: urlOf(name), DATA_DIR: at('earlier') });
  expect(verdicts.filter(({ level }) => level === 'error')).toEqual([]);
  expect(verdicts.find(({ check }) => check === 'database')!.msg).toMatch(
    /\d+ migration\(s\) run at the next start$/,
  );
  expect(code).toBe(0);
  await dropDatabase(name);
});
