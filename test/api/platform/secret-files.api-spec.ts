import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, createdBy } from '../../support/builders.js';
import { asAdmin } from '../../support/callers.js';
import { DatabaseLogin } from '../../support/database-login.js';
import { DurablePostgres } from '../../support/durable-postgres.js';
import { HttpBrowser } from '../../support/oidc/browser.js';
import { OidcProvider } from '../../support/oidc/provider.js';
import { signInAs } from '../../support/oidc/sign-in.js';
import { ReconnectingReader } from '../../support/reconnecting-reader.js';
import { S3Server } from '../../support/s3-server.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { WebhookTarget } from '../../support/webhook-target.js';
import { anAttachment, attachmentsOf, file, form } from '../work/attachments.forms.js';

const folder = mkdtempSync(join(tmpdir(), 'awp-secret-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes the file of a secret, and returns its path. */
function secretFile(name: string, value: string): string {
  writeFileSync(join(folder, name), `${value}\n`);
  return join(folder, name);
}

const messages = ({ log }: Service): string[] =>
  log
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [(JSON.parse(line) as { msg?: string }).msg ?? ''] : []));

describe('the URL of the database in a file', () => {
  let postgres: DurablePostgres;
  let login: DatabaseLogin;
  let target: WebhookTarget;
  let service: Service;
  beforeAll(async () => {
    // A server of its own, because the password of its only role changes.
    postgres = await DurablePostgres.start();
    const database = await postgres.createDatabase('secrets');
    login = new DatabaseLogin(database.url);
    target = await WebhookTarget.start();
    const DATABASE_URL_FILE = secretFile('database-url', login.url);
    const unset = { DATABASE_URL: '', DATABASE_DIRECT_URL: '', DATABASE_PREPARED: '' };
    const settings = { ...unset, DATABASE_URL_FILE, OUTBOUND_ALLOWED_HOSTS: target.host };
    service = await startService({ ownProcess: true, database, settings });
  });
  afterAll(async () => {
    await service?.remove();
    await target?.stop();
    await postgres?.remove();
  });

  /** Connections of the pool that were ended may be met once more. */
  const untilItWorks = () =>
    until(() =>
      asAdmin(service)
        .then((admin) => aProject(admin))
        .catch(() => null),
    );
  const isReady = async () => (await service.owner.get('/readyz')).status === 200;

  it('is read for each new connection: a new password needs no restart, for requests, events and webhooks', async () => {
    const admin = await asAdmin(service);
    await createdBy(admin, '/api/webhooks', { url: target.url });
    const project = await aProject(admin);
    const first = await anIssue(admin, project);
    await until(() => target.of(first.id).length > 0);
    const reader = await ReconnectingReader.begin(admin.unchecked());
    try {
      await login.changePassword();
      await until(async () => {
        const { status, body } = await admin.unchecked().get('/readyz');
        return status === 503 && JSON.stringify(body).includes('credentials rejected');
      });
      secretFile('database-url', login.url);
      await until(isReady);
      const second = await anIssue(admin, project);
      await until(() => reader.subjectsOf('issue.created').includes(second.id));
      await until(() => target.of(second.id).length > 0);
    } finally {
      await reader.stop();
    }
    expect(messages(service)).toContain('DATABASE_URL_FILE has changed and is used from now on.');
  });

  it('changes nothing where it names another server, and the log says so', async () => {
    const elsewhere = new URL(login.url);
    elsewhere.port = '1';
    secretFile('database-url', elsewhere.href);
    await login.endConnections();
    await untilItWorks();
    const warnings = messages(service).filter((text) => text.includes('names another server'));
    expect(warnings).toEqual([
      'DATABASE_URL_FILE stays as it was: names another server, database or parameter than at the start. Restart the service to use it.',
    ]);
  });
});

describe('a secret in a file', () => {
  const store = new S3Server();
  const provider = new OidcProvider();
  const internalKeys = ['a'.repeat(40), 'b'.repeat(40)] as const;
  let service: Service;
  let storeKey: Record<string, string>;
  beforeAll(async () => {
    const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, ...ofStore } = (await store.start()).settings;
    const { OIDC_CLIENT_SECRET, ...ofProvider } = (await provider.start()).settings;
    storeKey = { 's3-id': S3_ACCESS_KEY_ID!, s3: S3_SECRET_ACCESS_KEY! };
    service = await startService({
      ownProcess: true,
      settings: {
        INTERNAL_KEY_FILE: secretFile('internal-key', internalKeys[0]),
        BOOTSTRAP_OWNER_PASSWORD: '',
        BOOTSTRAP_OWNER_PASSWORD_FILE: secretFile('owner', 'a password of the Owner'),
        ...ofStore,
        S3_ACCESS_KEY_ID_FILE: secretFile('s3-id', 'FORMER'),
        S3_SECRET_ACCESS_KEY_FILE: secretFile('s3', 'FORMER'),
        ...{ ...ofProvider, OIDC_DEFAULT_ROLE: 'Viewer' },
        OIDC_CLIENT_SECRET_FILE: secretFile('oidc', OIDC_CLIENT_SECRET!),
      },
    });
  });
  afterAll(async () => {
    await service?.remove();
    await store.remove();
    await provider.stop();
  });

  it('is read again on SIGHUP, and the log says of each whether it has changed or cannot be used', async () => {
    secretFile('internal-key', internalKeys[1]);
    secretFile('s3-id', '');
    service.reload();
    await until(() => messages(service).includes('SIGHUP: the catalogue was read again.'));
    expect(messages(service).filter((text) => /^SIGHUP: \w+_FILE/.test(text))).toEqual([
      'SIGHUP: INTERNAL_KEY_FILE was read again and has changed.',
      'SIGHUP: BOOTSTRAP_OWNER_PASSWORD_FILE needs nothing: it is used by the first start only.',
      `SIGHUP: S3_ACCESS_KEY_ID_FILE stays as it was: ${join(folder, 's3-id')} is empty. Write the value into it.`,
      'SIGHUP: S3_SECRET_ACCESS_KEY_FILE was read again and has not changed.',
      'SIGHUP: OIDC_CLIENT_SECRET_FILE was read again and has not changed.',
    ]);
    for (const value of [...internalKeys, 'a password of the Owner'])
      expect(service.log).not.toContain(value);
  });

  it('is read again where the object store refuses it, and the upload succeeds', async () => {
    const admin = await asAdmin(service);
    const issue = await anIssue(admin, await aProject(admin));
    expect((await admin.request('POST', attachmentsOf(issue), form(file('abc')))).status).toBe(503);
    for (const [name, value] of Object.entries(storeKey)) secretFile(name, value);
    const { downloadUrl } = await anAttachment(admin, issue, file('def'));
    expect((await admin.get(downloadUrl)).text).toBe('def');
    expect(messages(service)).toContain('S3_ACCESS_KEY_ID_FILE has changed and is used from now on.');
  });

  it('is read again where the OpenID provider refuses it, and the person is signed in', async () => {
    const signIn = async () => (await signInAs(new HttpBrowser(), service, 'ada')).location;
    await provider.register(service.baseUrl, {
      ada: { name: 'Ada', email: 'ada@acme.example', email_verified: true },
    });
    expect(await signIn()).toBe(`${service.baseUrl}/`);
    await provider.replaceSecret(service.baseUrl);
    expect(await signIn()).not.toBe(`${service.baseUrl}/`);
    secretFile('oidc', provider.clientSecret);
    expect(await signIn()).toBe(`${service.baseUrl}/`);
    expect(messages(service)).toContain('OIDC_CLIENT_SECRET_FILE has changed and is used from now on.');
  });
});
