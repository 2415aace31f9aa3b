import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { withTable } from '../../../scripts/catalog-docs/table.mjs';
import { type CatalogEntry, categories, requiresCredentials, runtimes } from './catalog-entry.js';
import { loadCatalog } from './catalog-files.js';

const FOLDER = join(import.meta.dirname, 'entries');

interface Twin {
  name: string;
  description: string;
  version: string;
  packages?: {
    identifier: string;
    version?: string;
    environmentVariables?: { name: string; isSecret: boolean }[];
  }[];
  remotes?: { url: string; headers?: { name: string }[] }[];
}

describe('the shipped catalogue', () => {
  let entries: CatalogEntry[];
  beforeAll(async () => {
    entries = [...(await loadCatalog([FOLDER])).values()];
  });

  it('has the 40 servers of the contract and at least 4 in every category', () => {
    expect(entries.length).toBeGreaterThanOrEqual(40);
    for (const category of categories)
      expect(entries.filter((entry) => entry.category === category).length).toBeGreaterThanOrEqual(4);
  });

  it('names what every server that runs on this host reaches', () => {
    const stdio = entries.filter((entry) => entry.transport === 'stdio');
    expect(stdio.filter(({ manifest }) => !manifest.network).map(({ id }) => id)).toEqual([]);
  });

  it('has entries that work without credentials', () => {
    const free = entries.filter((entry) => entry.verified && !requiresCredentials(entry)).map(({ id }) => id);
    expect(free).toEqual(
      expect.arrayContaining(['context7', 'everything', 'filesystem', 'memory', 'sequential-thinking']),
    );
  });

  it('pins every package, those of PyPI with their whole closure', () => {
    const packages = entries.flatMap((entry) =>
      entry.transport === 'stdio' ? [entry.manifest.package] : [],
    );
    for (const { registry, name, integrity, closure } of packages) {
      expect([name, integrity]).toEqual([name, expect.stringMatching(/^sha(256|512)-/)]);
      expect([name, registry === 'pypi']).toEqual([name, (closure ?? []).length > 20]);
    }
  });

  it('has every category and every runtime', () => {
    expect(new Set(entries.map(({ category }) => category))).toEqual(new Set(categories));
    expect(new Set(entries.map(({ runtime }) => runtime))).toEqual(new Set(runtimes));
  });

  it('has an archive of every dependency for each Python and platform that it supports', () => {
    const hosts = ['311', '312', '313'].flatMap((python) =>
      ['x86_64', 'aarch64'].map((platform) => ({ python, platform })),
    );
    for (const { id, runtimeVersion, manifest } of entries.filter((entry) => entry.transport === 'stdio')) {
      const { closure } = manifest.package;
      if (!closure) continue;
      expect([id, runtimeVersion]).toEqual([id, '>=3.11 <3.14']);
      for (const { name, files } of closure)
        for (const { python, platform } of hosts) {
          const form = new RegExp(
            `-(py3|py2\\.py3|cp${python}|cp3\\d+)-(none|cp${python}|abi3)-(any|manylinux.*${platform})\\.whl$`,
          );
          const found = files.some(({ filename }) => form.test(filename));
          expect([id, name, python, platform, found]).toEqual([id, name, python, platform, true]);
        }
    }
  });

  it('has a credential probe for every entry that reads a secret, or the reason why not', () => {
    const keyed = entries.filter((entry) => entry.environmentVariables.some(({ isSecret }) => isSecret));
    expect(keyed.length).toBeGreaterThan(20);
    for (const { id, manifest } of keyed)
      expect([id, manifest.credentialProbe === null]).toEqual([id, Boolean(manifest.noProbeReason)]);
    const free = entries.filter((entry) => !keyed.includes(entry));
    expect(free.filter(({ manifest }) => manifest.noProbeReason).map(({ id }) => id)).toEqual([]);
  });

  it('has install instructions for every entry', () => {
    for (const { id, installInstructions } of entries)
      expect([id, installInstructions]).toEqual([id, expect.stringMatching(/.{60}/)]);
  });

  it('has no pattern for a secret, because its vendor may change the format', () => {
    const prescribed = entries
      .flatMap(({ environmentVariables }) => environmentVariables)
      .filter(({ isSecret, pattern }) => isSecret && pattern);
    expect(prescribed).toEqual([]);
  });

  it('marks only pinned entries as verified, because others cannot have been tested', () => {
    for (const entry of entries.filter(({ verified }) => verified)) {
      expect([entry.id, entry.transport]).toEqual([entry.id, 'stdio']);
      if (entry.transport === 'stdio') expect(entry.manifest.package.integrity).toMatch(/^sha512-/);
    }
  });

  it("has a server.json in the official registry's format that agrees with every entry", () => {
    for (const entry of entries) {
      const twin = entry.manifest.serverJson as unknown as Twin;
      expect(twin.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
      expect(twin).toMatchObject({ version: entry.version, description: entry.description });
      expect(entry.description.length).toBeLessThanOrEqual(100);
      if (entry.transport === 'stdio') {
        const { name: identifier, version } = entry.manifest.package;
        expect(twin.packages?.[0]).toMatchObject({ identifier, ...(version ? { version } : {}) });
        const secrets = entry.environmentVariables.filter(({ isSecret }) => isSecret).map(({ name }) => name);
        const declared = twin.packages?.[0]?.environmentVariables
          ?.filter(({ isSecret }) => isSecret)
          .map(({ name }) => name);
        expect(declared ?? []).toEqual(secrets);
      } else {
        expect(twin.remotes?.[0]?.url).toBe(entry.manifest.url);
        expect((twin.remotes?.[0]?.headers ?? []).map(({ name }) => name)).toEqual(
          Object.keys(entry.manifest.headers),
        );
      }
    }
  });
});

describe('docs/catalogue.md', () => {
  it('has the table of the shipped entries that `npm run catalog:docs` writes', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/catalogue.md'), 'utf8');
    const files = readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), 'utf8'));
    expect(
      withTable(
        page,
        files.map((file) => JSON.parse(file) as object),
      ),
    ).toBe(page);
  });
});
