import { describe, expect, it } from '@jest/globals';
import { loadSettings, SettingsFault } from './load-settings.js';

const s3 = {
  ATTACHMENT_STORE: 's3',
  S3_ENDPOINT: 'https://s3.example',
  S3_ACCESS_KEY_ID: 'x',
  S3_SECRET_ACCESS_KEY: 'x',
};

describe('settings are refused, by name,', () => {
  it.each<[Record<string, string>, string]>([
    [{ TLS_CERT_FILE: '/x' }, 'TLS_KEY_FILE'],
    [{ TLS_KEY_FILE: '/x' }, 'TLS_CERT_FILE'],
    [s3, 'S3_BUCKET'],
    [{ ENCRYPTION_KEYS: 'k1:x', ENCRYPTION_KEYRING_FILE: '/x' }, 'ENCRYPTION_KEYS'],
    [{ PORT: '3e3' }, 'PORT'],
    [{ ALLOW_HTTP_ON_LOOPBACK: 'TRUE' }, 'ALLOW_HTTP_ON_LOOPBACK'],
    [{ MCP_ALLOWED_HOSTS: 'localhost' }, 'MCP_ALLOWED_HOSTS'],
  ])('that do not fit: %j', (environment, name) => {
    expect(() => loadSettings(environment)).toThrow(SettingsFault);
    expect(() => loadSettings(environment)).toThrow(new RegExp(`^  ${name}: `, 'm'));
  });
});

describe('settings', () => {
  it('have the defaults of the contract', () => {
    expect(loadSettings({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: null,
      databasePoolSize: 10,
      allowHttpOnLoopback: true,
      leaseSeconds: 180,
      maxAttempts: 5,
      attachmentMaxBytes: 26_214_400,
      rateLimitPerMinute: 3000,
      auditRetentionDays: 0,
    });
  });

  it('that are empty count as not set', () => {
    expect(loadSettings({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: null });
  });

  it('take plain HTTP from this host for safe everywhere but in production', () => {
    expect(loadSettings({ NODE_ENV: 'production' }).allowHttpOnLoopback).toBe(false);
    expect(loadSettings({ NODE_ENV: 'production', ALLOW_HTTP_ON_LOOPBACK: 'true' }).allowHttpOnLoopback).toBe(
      true,
    );
    expect(loadSettings({ NODE_ENV: 'test', ALLOW_HTTP_ON_LOOPBACK: 'false' }).allowHttpOnLoopback).toBe(
      false,
    );
  });
});
