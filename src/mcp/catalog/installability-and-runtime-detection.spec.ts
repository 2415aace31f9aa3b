import { describe, expect, it } from '@jest/globals';
import {
  type HostRuntimeReport,
  installable,
  NotInstallable,
  refuseUnlessInstallable,
  refuseUnlessReviewed,
  RuntimeNotDetected,
  runtimeWarning,
} from './installability-and-runtime-detection.js';
import { type CatalogEntry, requiresCredentials } from './catalog-entry.js';
import { parseEntry } from './catalog-files.js';

const integrity = `sha256-${Buffer.alloc(32, 1).toString('base64')}`;
const all: HostRuntimeReport = {
  node: { detected: true, version: '20.20.2' },
  python: { detected: true, version: '3.11.7' },
  pipx: { detected: true, version: '1.4.3' },
};

const STRICT = { allowUnverified: false };

function anEntry(changes: object, variables: object[] = []): CatalogEntry {
  const { entry, errors } = parseEntry({
    id: 'acme',
    name: 'Acme',
    description: 'Acme',
    category: 'dev',
    version: '1.0.0',
    transport: 'stdio',
    runtime: 'python',
    manifest: {
      package: { registry: 'pypi', name: 'acme', version: '1.0.0', integrity },
      launch: { command: 'python', args: [] },
    },
    environmentVariables: variables.map((variable) => ({ description: 'X', ...variable })),
    ...changes,
  });
  if (!entry) throw new Error(JSON.stringify(errors));
  return entry;
}

describe('installable', () => {
  it.each<[string, object]>([
    ['python', {}],
    ['python in a range', { runtimeVersion: '>=3.10' }],
    ['pipx', { runtime: 'pipx' }],
    [
      'nothing, being remote',
      { transport: 'http', runtime: 'none', manifest: { url: 'https://acme.example/' } },
    ],
  ])('accepts an entry that needs %s on a host that has it', (_, changes) => {
    expect(installable(anEntry(changes), all, STRICT)).toEqual({ installable: true, reason: null });
  });

  it.each(['python', 'pipx', 'node'] as const)(
    'rejects an entry that needs %s on a host without it, and says how to get it',
    (runtime) => {
      const without: HostRuntimeReport = { ...all, [runtime]: { detected: false } };
      const { installable: can, reason } = installable(anEntry({ runtime }), without, STRICT);
      expect([can, reason]).toEqual([false, expect.stringMatching(new RegExp(`needs ${runtime}.*install`))]);
      expect(() => refuseUnlessInstallable(anEntry({ runtime }), without)).toThrow(RuntimeNotDetected);
    },
  );

  it('rejects a runtime out of the range that a person reviewed, and names the range and the version', () => {
    const entry = anEntry({ runtimeVersion: '>=3.12', verified: true, verifiedBy: 'Acme' });
    expect(runtimeWarning(entry, all)).toBeNull();
    expect(installable(entry, all, STRICT).reason).toMatch(/python >=3\.12.*3\.11\.7/);
    expect(() => refuseUnlessInstallable(entry, all)).toThrow(RuntimeNotDetected);
  });

  it('only warns of a runtime out of a range that nobody reviewed', () => {
    const entry = anEntry({ runtimeVersion: '>=3.12' });
    expect(installable(entry, all, STRICT)).toEqual({ installable: true, reason: null });
    expect(() => refuseUnlessInstallable(entry, all)).not.toThrow();
    expect(runtimeWarning(entry, all)).toMatch(/python >=3\.12.*3\.11\.7.*does not work/);
    expect(runtimeWarning(anEntry({ runtimeVersion: '>=3.10' }), all)).toBeNull();
  });

  it('accepts a release candidate of the version that the entry needs', () => {
    const candidate: HostRuntimeReport = { ...all, python: { detected: true, version: '3.13.0rc1' } };
    const entry = anEntry({ runtimeVersion: '>=3.10', verified: true, verifiedBy: 'Acme' });
    expect(installable(entry, candidate, STRICT).installable).toBe(true);
  });

  it.each<[string, object]>([
    [
      'version',
      {
        version: 'unpinned',
        manifest: {
          package: { registry: 'pypi', name: 'acme', version: null, integrity },
          launch: { command: 'python', args: [] },
        },
      },
    ],
    [
      'integrity',
      {
        manifest: {
          package: { registry: 'pypi', name: 'acme', version: '1.0.0' },
          launch: { command: 'python', args: [] },
        },
      },
    ],
  ])('rejects an entry without exact %s on every host', (_, changes) => {
    expect(installable(anEntry(changes), all, STRICT)).toMatchObject({
      installable: false,
      reason: expect.stringMatching(/CATALOG_DIRS/),
    });
    expect(() => refuseUnlessInstallable(anEntry(changes), all)).toThrow(NotInstallable);
  });

  it('rejects an imported entry until it is reviewed or such entries are allowed', () => {
    const imported = { importedFrom: 'https://registry.example/v0.1/servers/x%2Fy/versions/1.0.0' };
    const reviewed = anEntry({ ...imported, verified: true, verifiedBy: 'Acme security' });
    expect(installable(anEntry(imported), all, STRICT)).toEqual({
      installable: false,
      reason: expect.stringMatching(/verifiedBy.*ALLOW_UNVERIFIED/),
    });
    expect(() => refuseUnlessReviewed(anEntry(imported), STRICT)).toThrow(NotInstallable);
    expect(installable(reviewed, all, STRICT).installable).toBe(true);
    expect(installable(anEntry(imported), all, { allowUnverified: true }).installable).toBe(true);
  });

  it('reports required credentials when a required variable without a default is secret', () => {
    const secret = { name: 'KEY', isRequired: true, isSecret: true };
    expect(requiresCredentials(anEntry({}, [secret]))).toBe(true);
    expect(requiresCredentials(anEntry({}, [{ ...secret, isRequired: false }]))).toBe(false);
    expect(requiresCredentials(anEntry({}, [{ ...secret, isSecret: false }]))).toBe(false);
  });
});
