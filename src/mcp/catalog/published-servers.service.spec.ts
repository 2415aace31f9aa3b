import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Settings } from '../../platform/config/settings.js';
import { NotFound } from '../../platform/http/problem.js';
import type { CatalogEntry } from './catalog-entry.js';
import type { CatalogService } from './catalog.service.js';
import { parseEntry } from './catalog-files.js';
import { PublishedServersService, publishedVersions } from './published-servers.service.js';
import { parseServer, sourceOf } from './server-json-and-import-source.js';

const FOLDER = new URL('./entries/', import.meta.url);
const shipped = readdirSync(FOLDER).map((file) =>
  entryOf(JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))),
);

function entryOf(file: object): CatalogEntry {
  const { entry, errors } = parseEntry(file);
  if (!entry) throw new Error(JSON.stringify(errors));
  return entry;
}
const base = { name: 'Acme', description: 'Acme tools.', category: 'dev', environmentVariables: [] };
const hosted = (id: string, version: string, serverJson: object | null = null) =>
  entryOf({
    ...{ ...base, id, version, transport: 'http', runtime: 'none' },
    manifest: {
      url: `https://${id}.example/{env:TENANT}/mcp`,
      headers: { 'X-Key': 'k {env:KEY}' },
      serverJson,
    },
    environmentVariables: [
      { name: 'TENANT', description: 'Tenant.', isRequired: true, isSecret: false },
      { name: 'KEY', description: 'Key.', isRequired: true, isSecret: true },
    ],
  });

describe('the published catalogue', () => {
  it('has every shipped entry in a form that an import reads', () => {
    const versions = publishedVersions(shipped);
    expect(versions).toHaveLength(shipped.length);
    for (const { server } of versions) {
      expect(server['description']).toEqual(expect.stringMatching(/^.{1,100}$/s));
      expect(sourceOf(parseServer({ server }).server, null).kind).toEqual(expect.any(String));
    }
  });

  it('describes an entry without a server.json by its package or its address', () => {
    expect(publishedVersions([hosted('acme', '1')])).toEqual([
      {
        isLatest: true,
        server: expect.objectContaining({
          name: 'work.agent-platform/acme',
          remotes: [
            {
              type: 'streamable-http',
              url: 'https://acme.example/{TENANT}/mcp',
              variables: { TENANT: expect.objectContaining({ description: 'Tenant.' }) },
              headers: [
                {
                  name: 'X-Key',
                  value: 'k {KEY}',
                  variables: { KEY: expect.objectContaining({ isSecret: true }) },
                },
              ],
            },
          ],
        }),
      },
    ]);
  });

  it('leaves out a program of this host, which no other host could install', () => {
    const program = entryOf({
      ...{ ...base, id: 'local', version: '1', transport: 'stdio', runtime: 'none' },
      manifest: { package: { registry: 'none' }, launch: { command: '/opt/acme', args: [] } },
    });
    expect(publishedVersions([program])).toEqual([]);
  });

  it('is not there unless the operator publishes it', () => {
    const catalog = { list: () => shipped } as CatalogService;
    const read = (publishRegistry: boolean) =>
      new PublishedServersService(catalog, { publishRegistry } as Settings).page({ limit: 1 });
    expect(read(true).versions).toHaveLength(1);
    expect(() => read(false)).toThrow(NotFound);
  });

  it('orders the versions of one name by their numbers, and marks the newest', () => {
    const named = (id: string, version: string) =>
      hosted(id, version, { name: 'io.github.acme/x', description: 'x', version });
    const versions = publishedVersions([named('a', '1.9.0'), named('b', '1.10.0'), named('c', '1.9.0')]);
    expect(versions.map(({ server, isLatest }) => [server.version, isLatest])).toEqual([
      ['1.10.0', true],
      ['1.9.0', false],
    ]);
  });
});
