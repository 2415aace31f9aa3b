import { describe, expect, it } from '@jest/globals';
import type { StdioEntry } from './catalog-entry.js';
import { entryOfServer, type ImportChoices } from './entry-of-server.js';
import { launchOf } from './launch-template.js';
import { parseEntry } from './catalog-files.js';
import { ImportError, parseServer, type SourceKind, sourceOf } from './server-json-and-import-source.js';

const resolved = {
  integrity: `sha512-${Buffer.alloc(64, 1).toString('base64')}`,
  program: 'dist/index.js',
};
const choices: ImportChoices = {
  id: null,
  category: 'dev',
  network: 'any',
  importedFrom: 'https://registry.example/v0.1/servers/io.github.acme%2Fweather/versions/1.2.0',
};
const npm = {
  registryType: 'npm',
  registryBaseUrl: 'https://registry.npmjs.org',
  identifier: '@acme/weather',
  version: '1.2.3',
  transport: { type: 'stdio' },
};
const ofRegistry = (fields: object) =>
  parseServer({
    server: {
      name: 'io.github.acme/weather',
      description: 'Forecasts.',
      version: '1.2.0',
      ...fields,
    },
  });

function entryOf(fields: object, kind: SourceKind | null = null) {
  const described = ofRegistry(fields);
  const source = sourceOf(described.server, kind);
  const file = entryOfServer(described, source, source.kind === 'remote' ? null : resolved, choices);
  return parseEntry(structuredClone(file)).entry!;
}
const ofPackage = (changes: object) => entryOf({ packages: [{ ...npm, ...changes }] });
const launched = (entry: unknown, values: Record<string, string>) =>
  launchOf(entry as StdioEntry, { installDir: '/i', dataDir: '/d', values });

describe('an imported entry', () => {
  it('is pinned, unverified, and names the registry and the publisher', () => {
    expect(ofPackage({})).toMatchObject({
      id: 'weather',
      name: 'weather',
      publisher: 'io.github.acme',
      version: '1.2.3',
      verified: false,
      importedFrom: choices.importedFrom,
      manifest: {
        package: { registry: 'npm', name: '@acme/weather', version: '1.2.3', integrity: resolved.integrity },
        launch: { command: 'node', args: ['{installDir}/node_modules/@acme/weather/dist/index.js'] },
        network: 'any',
        serverJson: { name: 'io.github.acme/weather', version: '1.2.0' },
      },
    });
  });

  it('has the variables of the package, and no default of a secret', () => {
    const environmentVariables = [
      { name: 'KEY', description: 'The key.', isRequired: true, isSecret: true, default: 'abc' },
      { name: 'UNIT', default: 'c', choices: ['c', 'f'], placeholder: 'c' },
      { name: 'MODE', value: 'stdio' },
    ];
    const [key, unit, mode] = ofPackage({ environmentVariables }).environmentVariables;
    expect(key).toMatchObject({ description: 'The key.', isRequired: true, isSecret: true, default: null });
    expect(unit).toMatchObject({ default: 'c', choices: ['c', 'f'], placeholder: 'c', isRequired: false });
    expect(mode).toMatchObject({ default: 'stdio', choices: ['stdio'], description: 'Value of MODE.' });
  });

  it('keeps a composed variable of the environment whole, and secret with its parts', () => {
    const variables = { token: { isSecret: true } };
    const environmentVariables = [{ name: 'AUTH', value: 'Bearer {token}', isRequired: true, variables }];
    expect(ofPackage({ environmentVariables }).environmentVariables).toEqual([
      expect.objectContaining({ name: 'AUTH', placeholder: 'Bearer {token}', isSecret: true, default: null }),
    ]);
  });

  it('passes arguments as the publisher names them, and leaves out an optional one without a value', () => {
    const packageArguments = [
      { type: 'positional', value: 'serve' },
      { type: 'positional', valueHint: 'folder', isRequired: true, description: 'Folder.' },
      { type: 'named', name: '--read-only' },
      { type: 'named', name: '--max-rows', default: '10' },
      { type: 'named', name: '--region', description: 'Region.', format: 'string' },
      { type: 'named', name: '--where', value: '{a} and {b}', variables: { a: { isRequired: true } } },
    ];
    const entry = ofPackage({ packageArguments });
    const script = '/i/node_modules/@acme/weather/dist/index.js';
    expect(launched(entry, { FOLDER: '/srv', A: 'x' }).args).toEqual([
      script,
      'serve',
      '/srv',
      '--read-only',
      '--max-rows=10',
      '--where=x and {b}',
    ]);
    expect(launched(entry, { FOLDER: '/srv', A: 'x', REGION: 'eu' }).args).toContain('--region=eu');
  });

  it('fills in the address and the headers of a hosted server', () => {
    const remotes = [
      {
        type: 'streamable-http',
        url: 'https://acme.example/{tenant}/mcp',
        variables: { tenant: { isRequired: true, description: 'Tenant.' } },
        headers: [
          {
            name: 'Authorization',
            value: 'Bearer {token}',
            variables: { token: { isRequired: true, isSecret: true } },
          },
          { name: 'X-Trace' },
        ],
      },
    ];
    const entry = entryOf({ remotes });
    expect(entry).toMatchObject({
      transport: 'http',
      version: '1.2.0',
      manifest: {
        url: 'https://acme.example/{env:TENANT}/mcp',
        headers: { Authorization: 'Bearer {env:TOKEN}', 'X-Trace': '{env:X_TRACE}' },
      },
    });
    expect(entry.environmentVariables.map(({ name, isSecret }) => [name, isSecret])).toEqual([
      ['TENANT', false],
      ['TOKEN', true],
      ['X_TRACE', false],
    ]);
    expect(entryOf({ remotes: [{ type: 'sse', url: 'https://acme.example/sse' }] }).transport).toBe('sse');
  });

  it('prefers npm, and takes another source when that is wanted', () => {
    const python = {
      ...npm,
      registryType: 'pypi',
      registryBaseUrl: 'https://pypi.org',
      identifier: 'acme-weather',
    };
    const remotes = [{ type: 'sse', url: 'https://acme.example/sse' }];
    const fields = { packages: [python, npm], remotes };
    expect(sourceOf(ofRegistry(fields).server, null).kind).toBe('npm');
    expect(sourceOf(ofRegistry(fields).server, 'pypi').kind).toBe('pypi');
    expect(sourceOf(ofRegistry(fields).server, 'remote').kind).toBe('remote');
  });

  it.each<[string, object, RegExp]>([
    ['an image', { registryType: 'oci', identifier: 'ghcr.io/acme/weather:1' }, /npm and PyPI/],
    ['a package that listens on a port', { transport: { type: 'sse', url: 'http://x' } }, /must speak stdio/],
    ['another registry of packages', { registryBaseUrl: 'https://npm.evil.example' }, /npm\.evil\.example/],
    ['an option in place of a name', { identifier: '--prefix=/etc' }, /not the name of a package/],
    [
      'an address in place of a name',
      { identifier: 'https://evil.example/x.tgz' },
      /not the name of a package/,
    ],
    ['a missing version', { version: undefined }, /no exact version/],
    ['a tag', { version: 'latest' }, /manifest\.package\.version/],
    ['a range', { version: '^1.0.0' }, /no exact version/],
    [
      'arguments of npx',
      { runtimeArguments: [{ type: 'named', name: '--package', value: 'evil' }] },
      /arguments for npx/,
    ],
    [
      'a variable that steers the runtime',
      { environmentVariables: [{ name: 'NODE_OPTIONS' }] },
      /environmentVariables\[0\]\.name/,
    ],
    [
      'a variable in lower case',
      { environmentVariables: [{ name: 'api_key' }] },
      /environmentVariables\[0\]/,
    ],
    [
      'a secret among the arguments',
      { packageArguments: [{ type: 'named', name: '--key', isSecret: true }] },
      /every user of the host can read/,
    ],
  ])('is not made of %s', (_, changes, message) => {
    expect(() => ofPackage(changes)).toThrow(ImportError);
    expect(() => ofPackage(changes)).toThrow(message);
  });

  it('is not made of what the registry has deleted, and a deprecated version is pointed out', () => {
    const server = { name: 'io.github.acme/weather', description: 'x', version: '1' };
    const marked = (status: string) => ({
      server,
      _meta: { 'io.modelcontextprotocol.registry/official': { status, statusMessage: 'Use 2.' } },
    });
    expect(() => parseServer(marked('deleted'))).toThrow(/deleted: Use 2\./);
    expect(parseServer(marked('deprecated')).warning).toMatch(/deprecated: Use 2\./);
    expect(parseServer(marked('active')).warning).toBeNull();
    expect(() => parseServer({ servers: [] })).toThrow(/not a server\.json/);
  });

  it('may have null members, which count as absent', () => {
    const nulls = { title: null, repository: null, remotes: null, websiteUrl: null, _meta: null };
    const given = { ...npm, fileSha256: null, packageArguments: null, runtimeHint: null };
    expect(entryOf({ ...nulls, packages: [given] })).toMatchObject({ id: 'weather', version: '1.2.3' });
  });
});
