import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { categories, type CatalogEntry } from './catalog-entry.js';
import { requiresCredentials } from './installability.js';
import { loadCatalog } from './load-catalog.js';

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
    entries = [...(await loadCatalog([fileURLToPath(new URL('./entries', import.meta.url))])).values()];
  });

  it('has about 35 entries and at least 4 in every category', () => {
    expect(entries.length).toBeGreaterThanOrEqual(35);
    for (const category of categories)
      expect(entries.filter((entry) => entry.category === category).length).toBeGreaterThanOrEqual(4);
  });

  it('has entries to try at once, without credentials', () => {
    const free = entries.filter((entry) => entry.verified && !requiresCredentials(entry)).map(({ id }) => id);
    expect(free).toEqual(
      expect.arrayContaining(['context7', 'everything', 'filesystem', 'memory', 'sequential-thinking']),
    );
  });

  it('tells the operator what to do for every entry', () => {
    for (const { id, installInstructions } of entries)
      expect([id, installInstructions]).toEqual([id, expect.stringMatching(/.{60}/)]);
  });

  it('prescribes no pattern for a secret, whose form its vendor may change', () => {
    const prescribed = entries
      .flatMap(({ environmentVariables }) => environmentVariables)
      .filter(({ isSecret, pattern }) => isSecret && pattern);
    expect(prescribed).toEqual([]);
  });

  it('calls verified only what is pinned, since only that can have been tried', () => {
    for (const entry of entries.filter(({ verified }) => verified)) {
      expect([entry.id, entry.transport]).toEqual([entry.id, 'stdio']);
      if (entry.transport === 'stdio') expect(entry.manifest.package.integrity).toMatch(/^sha512-/);
    }
  });

  it("has a twin in the official registry's form that says the same of every entry", () => {
    for (const entry of entries) {
      const twin = entry.manifest.serverJson as unknown as Twin;
      expect(twin.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
      expect(twin).toMatchObject({ version: entry.version, description: entry.description });
      expect(entry.description.length).toBeLessThanOrEqual(100);
      if (entry.transport === 'stdio') {
        const { name, version } = entry.manifest.package;
        expect(twin.packages?.[0]).toMatchObject({ identifier: name, ...(version ? { version } : {}) });
        const secrets = entry.environmentVariables.filter(({ isSecret }) => isSecret).map(({ name }) => name);
        const told = twin.packages?.[0]?.environmentVariables
          ?.filter(({ isSecret }) => isSecret)
          .map(({ name }) => name);
        expect(told ?? []).toEqual(secrets);
      } else {
        expect(twin.remotes?.[0]?.url).toBe(entry.manifest.url);
        expect((twin.remotes?.[0]?.headers ?? []).map(({ name }) => name)).toEqual(
          Object.keys(entry.manifest.headers),
        );
      }
    }
  });
});
