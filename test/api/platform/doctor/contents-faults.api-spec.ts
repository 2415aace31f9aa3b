import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { anIssue, aProject, createdBy } from '../../../support/builders.js';
import { useService } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { WebhookTarget } from '../../../support/webhook-target.js';
import { anAttachment } from '../../work/attachments.forms.js';
import { byCommand, byHand, bySetting, plantEach } from './fault.js';

const settings: Record<string, string> = {};
const service = useService({ settings });
let target: WebhookTarget;
let folder = '';
let ring = '';
const at = (...names: string[]) => join(folder, ...names);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-faults-'));
  target = await WebhookTarget.start();
  settings['OUTBOUND_ALLOWED_HOSTS'] = target.host;
  await restart();
  ring = await readFile(ringFile(), 'utf8');
  await webhookTo(target.url);
});
afterAll(async () => {
  await target.stop();
  await rm(folder, { recursive: true, force: true });
});

const ringFile = () => join(service.dataDir, 'keyring.json');
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
const webhookTo = (url: string) => createdBy<{ id: string }>(service.owner, '/api/webhooks', { url });
const putRingBack = () => writeFile(ringFile(), ring, { mode: 0o600 });
const aRing = () =>
  JSON.stringify({
    version: 1,
    primary: 'k1',
    keys: [{ id: 'k1', key: randomBytes(32).toString('base64') }],
  });

describe('npm run doctor names what is wrong with the key ring, and its fix works:', () => {
  plantEach(healthy, [
    {
      fault: 'one that was lost',
      check: 'key ring',
      says: /^There is no key ring at ENCRYPTION_KEYRING_FILE \(.*\), but this database holds values sealed with key 'k1'$/,
      plant: () => rm(ringFile()),
      follow: byHand('restore the key ring from your backup', putRingBack),
    },
    {
      fault: 'that of another service',
      check: 'key ring',
      says: /^Key 'k1' of the key ring is not the key 'k1' that this database is sealed with$/,
      plant: () => writeFile(ringFile(), aRing(), { mode: 0o600 }),
      follow: byHand(/^restore the key ring that belongs to this database/, putRingBack),
    },
    {
      fault: 'one that lacks a key',
      check: 'key ring',
      says: /^This database is sealed with key 'k1', which the key ring lacks$/,
      plant: () => writeFile(ringFile(), aRing().replaceAll('"k1"', '"k7"'), { mode: 0o600 }),
      follow: byHand(/^restore it from your backup of the key ring/, putRingBack),
    },
    {
      fault: 'one that was cut off',
      check: 'key ring',
      says: /^ENCRYPTION_KEYRING_FILE \(.*\) is not complete JSON, perhaps cut off while it was copied$/,
      plant: () => writeFile(ringFile(), ring.slice(0, 40), { mode: 0o600 }),
      follow: byHand('restore it from your backup', putRingBack),
    },
    {
      fault: 'a folder in its place',
      check: 'key ring',
      says: /is not a regular file$/,
      plant: () => ({ settings: { ENCRYPTION_KEYRING_FILE: folder } }),
      follow: byHand(
        "name the key ring's file",
        bySetting(() => ({ ENCRYPTION_KEYRING_FILE: ringFile() })),
      ),
    },
    {
      fault: 'a sealed value that was damaged',
      check: 'key ring',
      says: /^1 of \d+ sealed values do not open, such as \w+/,
      plant: async () => {
        const { id } = await webhookTo(`${target.url}/damaged`);
        await service.sql(
          `UPDATE webhook_secrets SET sealed = left(sealed, length(sealed) - 6) || 'AAAAAA' WHERE webhook_id = $1`,
          [id],
        );
      },
      follow: byHand(/^enter these secrets again/, async () => {
        const rows = await service.sql<{ id: string }>(
          `SELECT id::text FROM webhooks WHERE url LIKE '%/damaged'`,
        );
        await service.owner.delete(`/api/webhooks/${rows[0]!.id}`);
        await webhookTo(`${target.url}/again`);
      }),
    },
    {
      fault: 'none in production, before the first start',
      check: 'key ring',
      says: /^There is no key ring at ENCRYPTION_KEYRING_FILE \(.*\), and in production none is made automatically$/,
      plant: async () => {
        await mkdir(at('new'), { mode: 0o700 });
        return { settings: { NODE_ENV: 'production', DATABASE_URL: '', DATA_DIR: at('new'), PORT: '0' } };
      },
      follow: (fix) => byCommand(fix, { NODE_ENV: 'production', DATA_DIR: at('new') }),
    },
  ]);
});

describe('npm run doctor names what was lost or left behind, and its fix works:', () => {
  const entry = () => at('entries', 'acme.json');
  const withEntry = async (text: string) => {
    await mkdir(at('entries'), { recursive: true });
    await writeFile(entry(), text);
    return { settings: { CATALOG_DIRS: at('entries') } };
  };
  plantEach(healthy, [
    {
      fault: 'files of attachments that were not copied',
      check: 'attachments',
      says: /^on disk, in .*: of the newest 1 attachments 1 have no bytes there, such as [\w-]+$/,
      plant: async () => {
        const issue = await anIssue(service.owner, await aProject(service.owner));
        await anAttachment(service.owner, issue);
        await rename(join(service.dataDir, 'attachments'), at('attachments'));
      },
      follow: byHand(/^copy the files of the former place there/, () =>
        cp(at('attachments'), join(service.dataDir, 'attachments'), { recursive: true }),
      ),
    },
    {
      fault: 'folders of servers that are not installed',
      check: 'packages',
      level: 'warn',
      says: /^1 folders belong to no installed server$/,
      plant: async () => {
        const left = join(service.dataDir, 'mcp/servers', randomUUID());
        await mkdir(left, { recursive: true });
        const hourAgo = new Date(Date.now() - 3_600_000);
        await utimes(left, hourAgo, hourAgo);
      },
      follow: byHand(/^restart the service, which removes them$/, async () => {
        await restart();
        const left = () => readdir(join(service.dataDir, 'mcp/servers'));
        await until(async () => (await left()).length === 0);
      }),
    },
    {
      fault: 'a catalogue entry that is not JSON',
      check: 'catalogue',
      says: /\/acme\.json: is not JSON: /,
      plant: () => withEntry('{"id": "acme",'),
      follow: byHand(/^correct this file, or remove it/, () => rm(entry())),
    },
    {
      fault: 'a catalogue entry with an error',
      check: 'catalogue',
      says: /\/acme\.json: description is required; category is required; /,
      plant: () => withEntry(JSON.stringify({ id: 'acme', name: 'Acme' })),
      follow: byHand(/^correct this file, or remove it/, () => rm(entry())),
    },
    {
      fault: 'a catalogue folder that does not exist',
      check: 'catalogue',
      says: /^.*\/nothing: the folder cannot be read \(ENOENT\)$/,
      plant: () => ({ settings: { CATALOG_DIRS: at('nothing') } }),
      follow: byHand(/^create this folder/, () => mkdir(at('nothing')).then(() => undefined)),
    },
    {
      fault: 'a key that expires soon',
      check: 'API keys',
      level: 'warn',
      says: /^1 expire within 14 days: 'ci' on \d{4}-\d\d-\d\d$/,
      plant: async () => {
        const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString();
        await createdBy(service.owner, '/api/auth/keys', { name: 'ci', expiresAt });
      },
      follow: byHand('create new keys, use them in place of these, and revoke these', async () => {
        await createdBy(service.owner, '/api/auth/keys', { name: 'ci again' });
        const { body } = await service.owner.get<{ id: string; name: string }[]>('/api/auth/keys');
        await service.owner.delete(`/api/auth/keys/${body.find(({ name }) => name === 'ci')!.id}`);
      }),
    },
  ]);
});
