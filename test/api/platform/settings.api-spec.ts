import { describe, expect, it } from '@jest/globals';
import { ServiceProcess } from '../../support/service-process.js';

/** Starts the service with these settings alone, for starts that end before they need a database. */
async function endOf(settings: Record<string, string>): Promise<{ code: number | null; log: string }> {
  const process = new ServiceProcess(settings);
  const { code } = await process.ended;
  return { code, log: process.log };
}

describe('a start with invalid settings', () => {
  it('ends with 78 and reports every error at once, by name, without a value', async () => {
    const secret = 'too-short-a-key';
    const { code, log } = await endOf({
      PORT: '70000',
      DATABASE_URL: 'mysql://someone:hidden@127.0.0.1/x',
      DATABASE_POOL_SIZE: '1',
      LOG_LEVEL: 'loud',
      DASHBOARD_ORIGINS: 'https://a.example,nonsense',
      TRUSTED_PROXIES: '10.0.0.0/8,proxy.example',
      ALLOW_HTTP_ON_LOOPBACK: 'yes',
      BOOTSTRAP_OWNER_API_KEY: secret,
      BOOTSTRAP_OWNER_EMAIL: 'nobody',
      MCP_SANDBOX: 'maybe',
      LEASE_SECONDS: 'x',
      ATTACHMENT_STORE: 'tape',
      LOG_FORMAT: 'text',
    });
    expect(code).toBe(78);
    const names = [...log.matchAll(/^ {2}([A-Z0-9_]+): \S/gm)].map(([, name]) => name);
    expect(names.toSorted()).toEqual([
      'ALLOW_HTTP_ON_LOOPBACK',
      'ATTACHMENT_STORE',
      'BOOTSTRAP_OWNER_API_KEY',
      'BOOTSTRAP_OWNER_EMAIL',
      'DASHBOARD_ORIGINS',
      'DATABASE_POOL_SIZE',
      'DATABASE_URL',
      'LEASE_SECONDS',
      'LOG_LEVEL',
      'MCP_SANDBOX',
      'PORT',
      'TRUSTED_PROXIES',
    ]);
    for (const value of [secret, 'hidden', 'proxy.example']) expect(log).not.toContain(value);
    expect(log).not.toMatch(/\n\s+at /);
  });
});
