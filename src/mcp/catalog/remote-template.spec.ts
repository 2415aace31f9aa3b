import { describe, expect, it } from '@jest/globals';
import type { RemoteEntry } from './catalog-entry.js';
import { MissingVariables } from './variable-values-and-placeholders.js';
import { remoteOf } from './launch-template.js';
import { parseEntry } from './catalog-files.js';

function anEntry(url: string, headers: Record<string, string>, ...names: string[]): RemoteEntry {
  const environmentVariables = names.map((name) => ({
    name: name.replace('!', ''),
    description: name,
    isRequired: name.endsWith('!'),
    isSecret: false,
  }));
  const facts = { id: 'acme', name: 'Acme', description: 'Acme', category: 'dev', version: '1' };
  const { entry, errors } = parseEntry({
    ...facts,
    transport: 'http',
    runtime: 'none',
    manifest: { url, headers },
    environmentVariables,
  });
  if (!entry || entry.transport === 'stdio') throw new Error(JSON.stringify(errors));
  return entry;
}

describe('the address from remoteOf', () => {
  it('contains percent-encoded values', () => {
    const entry = anEntry(
      'https://{env:HOST}:{env:PORT}/{env:TEAM}/mcp?q={env:Q}',
      {},
      'HOST!',
      'PORT!',
      'TEAM!',
      'Q!',
    );
    const values = { HOST: 'mcp.acme.example', PORT: '8443', TEAM: 'a/b?c', Q: 'x&y=1' };
    expect(remoteOf(entry, values).url).toBe('https://mcp.acme.example:8443/a%2Fb%3Fc/mcp?q=x%26y%3D1');
  });

  it.each(['evil.example/x', 'a@evil.example', 'evil.example#', 'a b', '..'])(
    'is rejected for the host %s',
    (HOST) => {
      const entry = anEntry('https://{env:HOST}/mcp', {}, 'HOST!');
      expect(() => remoteOf(entry, { HOST })).toThrow(
        expect.objectContaining({
          code: 'validation_failed',
          errors: [{ path: 'envValues.HOST', message: expect.any(String) }],
        }),
      );
    },
  );

  it.each(['.', '..'])('is rejected for the path segment %s', (TEAM) => {
    expect(() =>
      remoteOf(anEntry('https://acme.example/teams/{env:TEAM}/mcp', {}, 'TEAM!'), { TEAM }),
    ).toThrow(/envValues\.TEAM/);
  });
});

describe('the headers from remoteOf', () => {
  const entry = anEntry(
    'https://acme.example/mcp',
    { Authorization: 'Bearer {env:TOKEN}', 'X-Team': '{env:TEAM}' },
    'TOKEN!',
    'TEAM',
  );

  it('contain the values unchanged', () => {
    expect(remoteOf(entry, { TOKEN: 'a+b/c=', TEAM: 'x y' }).headers).toEqual({
      Authorization: 'Bearer a+b/c=',
      'X-Team': 'x y',
    });
  });

  it('leave out a header whose optional variable has no value', () => {
    expect(remoteOf(entry, { TOKEN: 't' }).headers).toEqual({ Authorization: 'Bearer t' });
  });

  it('are rejected if a required variable has no value', () => {
    expect(() => remoteOf(entry, {})).toThrow(MissingVariables);
  });
});
