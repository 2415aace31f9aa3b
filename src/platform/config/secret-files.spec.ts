import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadSettings } from './load-settings.js';
import { fileSettingOf, SecretFileError, secretFileSettings, secretSettings } from './secret-files.js';
import type { Settings } from './settings.js';
import { settingsSchema } from './settings.schema.js';

const ADDRESS = 'postgres://awp:first@db.example:5432/awp';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'awp-secrets-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file with this content, and returns its path. */
function containing(text: string | Buffer, name = 'secret'): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** A value that the rule of each setting accepts. */
function valueOf(name: string): string {
  return name.startsWith('DATABASE_') ? ADDRESS : `${name.toLowerCase()}-0123456789012345678901234567890`;
}

/** The settings without where they are from. */
const valuesOf = (settings: Settings) => JSON.parse(JSON.stringify({ ...settings, secrets: null })) as object;

describe('the list of secret settings', () => {
  it('has every setting whose name says that it holds a secret', () => {
    const secret = /PASSWORD$|SECRET|TOKEN|HEADERS$|_KEYS?$|_KEY_ID$|DATABASE_.*URL$/;
    const found = Object.keys(settingsSchema.shape).filter((name) => secret.test(name));
    expect(found.toSorted()).toEqual(secretSettings.toSorted());
  });

  it('gives no file the name of another setting', () => {
    expect(secretFileSettings.filter((name) => name in settingsSchema.shape)).toEqual([]);
  });
});

describe('a secret in a file', () => {
  it.each(secretSettings)('is the value of %s', (name) => {
    const others = name === 'DATABASE_DIRECT_URL' ? { DATABASE_URL: ADDRESS } : {};
    const client = { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'awp' };
    const given = { ...others, ...(name === 'OIDC_CLIENT_SECRET' && client) };
    const settings = loadSettings({ ...given, [fileSettingOf(name)]: containing(valueOf(name)) });
    expect(settings.secrets.present(name)).toBe(valueOf(name));
    expect(settings.secrets.names).toEqual([name]);
    expect(valuesOf(settings)).toEqual(valuesOf(loadSettings({ ...given, [name]: valueOf(name) })));
  });

  it.each([
    ['\n', ''],
    ['\r\n', ''],
    ['\n\n', '\n'],
    [' ', ' '],
    ['', ''],
  ])('loses one line break at its end: %j', (end, left) => {
    const S3_SECRET_ACCESS_KEY_FILE = containing(`a secret${end}`);
    const { secrets } = loadSettings({ S3_SECRET_ACCESS_KEY_FILE });
    expect(secrets.present('S3_SECRET_ACCESS_KEY')).toBe(`a secret${left}`);
  });

  it('is not set where the name of the file is empty', () => {
    expect(loadSettings({ DATABASE_URL_FILE: '', DATABASE_URL: ADDRESS }).databaseUrl).toBe(ADDRESS);
  });

  it('leads to the database, the bucket and the provider as the setting does', () => {
    const settings = loadSettings({
      ...{ DATABASE_URL_FILE: containing(`${ADDRESS}\n`, 'url'), ATTACHMENT_STORE: 's3' },
      ...{ S3_ENDPOINT: 'https://s3.example', S3_BUCKET: 'files' },
      ...{
        S3_ACCESS_KEY_ID_FILE: containing('id', 'id'),
        S3_SECRET_ACCESS_KEY_FILE: containing('key', 'key'),
      },
      ...{ OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'awp' },
      ...{ OIDC_CLIENT_SECRET_FILE: containing('client', 'client') },
    });
    expect(settings).toMatchObject({
      databaseUrl: ADDRESS,
      databaseDirectUrl: ADDRESS,
      s3: { accessKeyId: 'id', secretAccessKey: 'key' },
      oidc: { clientSecret: 'client' },
    });
    expect(settings.secrets.paths).toEqual(['url', 'id', 'key', 'client'].map((name) => join(folder, name)));
  });
});

describe('a file of a secret that cannot be used', () => {
  const messageOf = (environment: NodeJS.ProcessEnv): string => {
    try {
      loadSettings(environment);
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('The settings are valid.');
  };

  it('is refused beside the setting itself, with both names and without the value', () => {
    const message = messageOf({ DATABASE_URL: ADDRESS, DATABASE_URL_FILE: containing(ADDRESS) });
    expect(message).toBe(
      'The settings have 1 error(s):\n  DATABASE_URL_FILE: and DATABASE_URL exclude each other; set one.',
    );
  });

  it('is refused with its setting, its path, the cause and what to do', () => {
    const missing = join(folder, 'missing');
    mkdirSync(join(folder, 'folder'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const ends: [path: string, says: string][] = [
      [missing, 'cannot be read (ENOENT). Name an existing file that the user of the service can read.'],
      [join(folder, 'folder'), 'is a folder. Name a file that holds the value alone.'],
      [join(folder, 'pipe'), 'is not a regular file. Name a file that holds the value alone.'],
      [containing('\n', 'empty'), 'is empty. Write the value into it.'],
      [
        containing('x'.repeat(65_537), 'large'),
        'is larger than 64 KiB. Name a file that holds the value alone.',
      ],
    ];
    for (const [path, says] of ends)
      expect(messageOf({ INTERNAL_KEY_FILE: path })).toBe(
        `The settings have 1 error(s):\n  INTERNAL_KEY_FILE: ${path} ${says}`,
      );
  });

  it('is named once, not as a setting that is missing too, and beside every other error', () => {
    const message = messageOf({ ROLE: 'worker', DATABASE_URL_FILE: join(folder, 'missing'), PORT: 'x' });
    expect(message.split('\n').map((line) => line.trim().split(':')[0])).toEqual([
      'The settings have 2 error(s)',
      'DATABASE_URL_FILE',
      'PORT',
    ]);
    expect(messageOf({ ROLE: 'worker', DATABASE_URL_FILE: join(folder, 'missing') })).toContain('1 error(s)');
  });

  it.each([
    ['DATABASE_URL_FILE', 'mysql://awp:hidden@db/awp', 'must be a postgres:// URL'],
    ['INTERNAL_KEY_FILE', 'hidden', 'must be 32 to 200 visible ASCII characters'],
    ['BOOTSTRAP_OWNER_PASSWORD_FILE', 'hidden', ''],
  ])('is named where the rule of the setting refuses its value: %s', (name, value, rule) => {
    const message = messageOf({ [name]: containing(value) });
    expect(message).toContain(`\n  ${name}: ${rule}`);
    expect(message).not.toContain('hidden');
  });

  it('is named where its value does not go with another setting', () => {
    const given = { ENCRYPTION_KEYS_FILE: containing('k1:x'), ENCRYPTION_KEYRING_FILE: '/x' };
    expect(messageOf(given)).toContain(
      '  ENCRYPTION_KEYS_FILE: and ENCRYPTION_KEYRING_FILE exclude each other',
    );
  });

  it.each([
    ['DATABASE_URL_FIEL', 'DATABASE_URL_FILE'],
    ['OIDC_CLIENT_SECRETS_FILE', 'OIDC_CLIENT_SECRET_FILE'],
    ['ENCRYPTION_KEY_FILE', 'ENCRYPTION_KEYS_FILE'],
  ])('is warned of where its setting is misspelt: %s', (name, meant) => {
    expect(loadSettings({ [name]: '/x' }).warnings).toEqual([
      `${name} is not a setting and is ignored. Did you mean ${meant}?`,
    ]);
  });
});

describe('a file of a secret that is read again', () => {
  const database = (text = ADDRESS) => {
    const path = containing(text, 'database-url');
    return { path, secrets: loadSettings({ DATABASE_URL_FILE: path }).secrets };
  };

  it('gives its new value, and reports the change', () => {
    const { path, secrets } = database();
    const changed: string[] = [];
    secrets.reports = { changed: (setting) => void changed.push(setting), failed: () => undefined };
    const next = 'postgresql://other:second%40@db.example:5432/awp';
    writeFileSync(path, `${next}\n`);
    expect(secrets.present('DATABASE_URL')).toBe(ADDRESS);
    expect(secrets.latest('DATABASE_URL')).toBe(next);
    expect(secrets.look('DATABASE_URL')).toBe(false);
    expect(changed).toEqual(['DATABASE_URL_FILE']);
  });

  it.each([
    ['', 'is empty'],
    ['mysql://x', 'must be a postgres:// URL'],
    ['postgres://awp:second@other.example:5432/awp', 'Restart the service'],
    ['postgres://awp:second@db.example:5433/awp', 'Restart the service'],
    ['postgres://awp:second@db.example:5432/other', 'Restart the service'],
    ['postgres://awp:second@db.example:5432/awp?sslmode=require', 'Restart the service'],
  ])('changes nothing where it holds %j, and reports that once', (text, says) => {
    const { path, secrets } = database();
    const problems: SecretFileError[] = [];
    secrets.reports = { changed: () => undefined, failed: (error) => void problems.push(error) };
    writeFileSync(path, text);
    expect([secrets.latest('DATABASE_URL'), secrets.latest('DATABASE_URL')]).toEqual([ADDRESS, ADDRESS]);
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(says)]);
    expect(() => secrets.renew('DATABASE_URL')).toThrow(SecretFileError);
    expect(problems[0]!.message).not.toContain('second');
  });

  it('changes the user and password of a socket as well', () => {
    const { path, secrets } = database('postgres://awp:first@/awp?host=/run/pg');
    writeFileSync(path, 'postgres://awp2:second@/awp?host=/run/pg');
    expect(secrets.renew('DATABASE_URL')).toBe(true);
  });

  it('changes the settings that are made of it', () => {
    const key = (sign: string) => sign.repeat(32);
    const settings = loadSettings({
      ...{
        INTERNAL_KEY_FILE: containing(key('a'), 'internal'),
        ENCRYPTION_KEYS_FILE: containing('k1:a', 'keys'),
      },
      ...{ ATTACHMENT_STORE: 's3', S3_ENDPOINT: 'https://s3.example', S3_BUCKET: 'files' },
      ...{ S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY_FILE: containing('key', 'key') },
      ...{ OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'awp' },
      ...{ OIDC_CLIENT_SECRET_FILE: containing('client', 'client') },
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example',
      OTEL_EXPORTER_OTLP_HEADERS_FILE: containing('a=1', 'headers'),
    });
    containing(key('b'), 'internal');
    containing('k2:b', 'keys');
    containing('key 2', 'key');
    containing('client 2', 'client');
    containing('a=2', 'headers');
    expect([settings.internalKey, settings.encryptionKeys, settings.tracing!.headers!()]).toEqual([
      key('b'),
      'k2:b',
      'a=2',
    ]);
    expect([settings.s3!.renewKey(), settings.oidc!.renewSecret()]).toEqual([true, true]);
    expect([settings.s3!.renewKey(), settings.oidc!.renewSecret()]).toEqual([false, false]);
    expect([settings.s3!.accessKeyId, settings.s3!.secretAccessKey]).toEqual(['id', 'key 2']);
    expect(settings.oidc!.clientSecret).toBe('client 2');
  });

  it('is named in place of its setting in messages about it', () => {
    const { secrets } = database();
    expect(secrets.named('DATABASE_URL: correct DATABASE_URL or DATABASE_DIRECT_URL')).toBe(
      'DATABASE_URL_FILE: correct DATABASE_URL_FILE or DATABASE_DIRECT_URL',
    );
  });
});
