import { describe, expect, it } from '@jest/globals';
import { loadSettings } from './load-settings.js';
import { SettingsError } from './setting-rules.js';

const s3 = {
  ATTACHMENT_STORE: 's3',
  S3_ENDPOINT: 'https://s3.example',
  S3_ACCESS_KEY_ID: 'x',
  S3_SECRET_ACCESS_KEY: 'x',
};

describe('loadSettings', () => {
  it.each<[Record<string, string>, string]>([
    [{ TLS_CERT_FILE: '/x' }, 'TLS_KEY_FILE'],
    [{ TLS_KEY_FILE: '/x' }, 'TLS_CERT_FILE'],
    [s3, 'S3_BUCKET'],
    [{ ENCRYPTION_KEYS: 'k1:x', ENCRYPTION_KEYRING_FILE: '/x' }, 'ENCRYPTION_KEYS'],
    [{ PORT: '3e3' }, 'PORT'],
    [{ ALLOW_HTTP_ON_LOOPBACK: 'TRUE' }, 'ALLOW_HTTP_ON_LOOPBACK'],
    [{ OUTBOUND_ALLOWED_HOSTS: 'localhost' }, 'OUTBOUND_ALLOWED_HOSTS'],
    [{ MCP_ALLOWED_HOSTS: 'localhost' }, 'OUTBOUND_ALLOWED_HOSTS'],
    [{ TOOL_CALL_HARD_LIMIT_MS: '1000' }, 'TOOL_CALL_HARD_LIMIT_MS'],
    [{ ROLE: 'web' }, 'ROLE'],
    [{ ROLE: 'worker' }, 'DATABASE_URL'],
    [{ ROLE: 'tools', DATABASE_URL: 'postgres://awp:x@db/awp' }, 'TOOLS_LISTEN'],
    [{ TOOLS_LISTEN: '3100' }, 'TOOLS_LISTEN'],
    [{ TOOLS_LISTEN: '0.0.0.0:3100' }, 'TOOLS_ADVERTISE'],
    [{ TOOLS_LISTEN: '[::]:3100' }, 'TOOLS_ADVERTISE'],
    [{ INTERNAL_KEY: 'short' }, 'INTERNAL_KEY'],
  ])('rejects %j and names %s', (environment, name) => {
    expect(() => loadSettings(environment)).toThrow(SettingsError);
    expect(() => loadSettings(environment)).toThrow(new RegExp(`^  ${name}: `, 'm'));
  });

  it('has the defaults of the contract', () => {
    expect(loadSettings({ PROCESSES: '1' })).toMatchObject({
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
      mcpCallsPerProcess: 32,
      mcpCallsTotal: 256,
      mcpCallsPerAgent: 32,
      toolCallTimeoutMs: 55_000,
      toolCallHardLimitMs: 300_000,
      warnings: [],
    });
  });

  it('gives one agent an eighth of all calls, at least one, where no number is given', () => {
    const callsOfAgent = (given: Record<string, string>) => loadSettings(given).mcpCallsPerAgent;
    expect(callsOfAgent({ MCP_CALLS_TOTAL: '100' })).toBe(12);
    expect(callsOfAgent({ MCP_CALLS_TOTAL: '4' })).toBe(1);
    expect(callsOfAgent({ MCP_CALLS_TOTAL: '4', MCP_CALLS_PER_AGENT: '3' })).toBe(3);
  });

  it('splits the address of the internal endpoint', () => {
    const toolsListen = (text: string) => loadSettings({ TOOLS_LISTEN: text }).toolsListen;
    expect(toolsListen('10.0.0.5:3100')).toEqual({ host: '10.0.0.5', port: 3100 });
    expect(toolsListen('[fd00::5]:3100')).toEqual({ host: 'fd00::5', port: 3100 });
  });

  it('treats an empty variable as not set', () => {
    expect(loadSettings({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: null });
  });

  it('accepts plain HTTP from this host except in production', () => {
    expect(loadSettings({ NODE_ENV: 'production' }).allowHttpOnLoopback).toBe(false);
    expect(loadSettings({ NODE_ENV: 'production', ALLOW_HTTP_ON_LOOPBACK: 'true' }).allowHttpOnLoopback).toBe(
      true,
    );
    expect(loadSettings({ NODE_ENV: 'test', ALLOW_HTTP_ON_LOOPBACK: 'false' }).allowHttpOnLoopback).toBe(
      false,
    );
  });

  it('accepts the old name of a renamed variable with a warning that names the new one', () => {
    const { outboundAllowedHosts, warnings } = loadSettings({ MCP_ALLOWED_HOSTS: 'inner:80' });
    expect(outboundAllowedHosts).toEqual(['inner:80']);
    expect(warnings).toEqual([
      expect.stringMatching(/^MCP_ALLOWED_HOSTS is now called OUTBOUND_ALLOWED_HOSTS/),
    ]);
  });

  it('prefers the new name of a renamed variable', () => {
    const both = { MCP_ALLOWED_HOSTS: 'old:80', OUTBOUND_ALLOWED_HOSTS: 'new:80' };
    const { outboundAllowedHosts, warnings } = loadSettings(both);
    expect(outboundAllowedHosts).toEqual(['new:80']);
    expect(warnings).toEqual([expect.stringContaining('MCP_ALLOWED_HOSTS is ignored')]);
  });
});

describe('the warnings of loadSettings', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['MCP_SANDBOXX', 'MCP_SANDBOX'],
    ['database_url', 'DATABASE_URL'],
    ['PROT', 'PORT'],
    ['LEASE_SECOND', 'LEASE_SECONDS'],
    ['MCP_ALOWED_HOSTS', 'MCP_ALLOWED_HOSTS'],
  ])('name for %s the setting %s that was probably meant', (name, meant) => {
    expect(loadSettings({ [name]: 'x' }).warnings).toEqual([
      `${name} is not a setting and is ignored. Did you mean ${meant}?`,
    ]);
  });

  it('leave out names that resemble no setting, that are empty, or whose setting is given', () => {
    const environment = {
      PATH: '/bin',
      HOME: '/root',
      HOSTNAME: 'x',
      SSL_CERT_FILE: '/x',
      NODE_OPTIONS: 'x',
      DATABSE_URL: '',
      PORTS: '1',
      PORT: '4000',
    };
    expect(loadSettings(environment).warnings).toEqual([]);
  });

  it.each([
    [{ HOST: '127.0.0.2' }, []],
    [{ HOST: '::1' }, []],
    [{ HOST: '10.0.0.5' }, ['plain HTTP']],
    [{ HOST: '0.0.0.0' }, ['plain HTTP', 'PUBLIC_URL is not set']],
    [{ HOST: '::', PUBLIC_URL: 'http://x.example' }, ['plain HTTP']],
    [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://x.example', TRUSTED_PROXIES: '10.0.0.1' }, []],
    [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://x.example', TLS_CERT_FILE: '/x', TLS_KEY_FILE: '/y' }, []],
  ])('of %j name what is unsafe or out of reach', (environment, expected) => {
    const { warnings } = loadSettings(environment as NodeJS.ProcessEnv);
    expect(warnings).toEqual(expected.map((text) => expect.stringContaining(text)));
  });
});

describe('a setting that loadSettings rejects', () => {
  it('is named with its range and its number', () => {
    expect(() => loadSettings({ LEASE_SECONDS: '-5' })).toThrow(
      "LEASE_SECONDS: must be a whole number from 1 to 86400, not '-5'",
    );
    expect(() => loadSettings({ PORT: '70000' })).toThrow("from 0 to 65535, not '70000'");
  });

  it('is not shown when it may be a secret of another setting', () => {
    expect(() => loadSettings({ PORT: 'my-password' })).not.toThrow(/my-password/);
  });

  it.each(['p@ss/word@127.0.0.1:5432/awp', 'p#ss@db/awp', 'a@b?c@db/awp'])(
    'is a DATABASE_URL whose password needs percent-encoding: %s',
    (rest) => {
      expect(() => loadSettings({ DATABASE_URL: `postgres://awp:${rest}` })).toThrow(/percent-encoded/);
      expect(() => loadSettings({ DATABASE_URL: `postgres://awp:${rest}` })).not.toThrow(
        /p@ss|p#ss|a@b|127\.0/,
      );
    },
  );

  it.each(['postgres://u:p%40%2F@db:5432/awp', 'postgresql:///awp', 'postgresql://u@/awp?host=/run/pg'])(
    'is not the DATABASE_URL %s',
    (url) => {
      expect(loadSettings({ DATABASE_URL: url }).databaseUrl).toBe(url);
    },
  );
});
