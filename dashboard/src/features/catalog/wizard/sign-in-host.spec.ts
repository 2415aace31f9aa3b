import { describe, expect, it } from 'vitest';
import type { CatalogEntryDetail } from '../../../api/types';
import { signInHost } from './last-steps';

const entry = (url: string, oauth: Record<string, unknown> | null = null) =>
  ({ manifest: { url, oauth } }) as unknown as CatalogEntryDetail;

describe('signInHost', () => {
  it('is the host of the server, which chooses the authorization server', () => {
    expect(signInHost(entry('https://mcp.acme.example/mcp'))).toBe('mcp.acme.example');
  });

  it('is the host of the issuer that the entry demands', () => {
    const oauth = { grant: 'authorization_code', issuer: 'https://login.acme.example/eu' };
    expect(signInHost(entry('https://mcp.acme.example/mcp', oauth))).toBe('login.acme.example');
  });

  it('is unknown where the address depends on a value', () => {
    expect(signInHost(entry('https://{env:SITE}/mcp'))).toBeNull();
  });
});
