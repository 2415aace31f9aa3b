import {
  type Argument,
  ImportError,
  type Remote,
  type ServerJson,
  type ServerPackage,
} from './server-json.js';

/** Where the code of an imported server comes from, or the address of a hosted one. */
export type ServerSource =
  { kind: 'npm' | 'pypi'; package: ServerPackage & { version: string } } | { kind: 'remote'; remote: Remote };

export const sourceKinds = ['npm', 'pypi', 'remote'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** The registries of packages that an installation uses, unless the operator configures mirrors of them. */
const REGISTRIES = {
  npm: /^https:\/\/registry\.npmjs\.org\/?$/,
  pypi: /^https:\/\/pypi\.org(\/simple)?\/?$/,
};

/** Names and versions are passed to package managers, so they must not look like an option, a range or an address. */
const NAME = /^(@[a-z0-9][a-z0-9._~-]*\/)?[a-z0-9][a-z0-9._~-]*$/i;
const VERSION = /^[a-z0-9][a-z0-9.!+_-]*$/i;

/**
 * Chooses the source of an entry: the first package of npm, else of PyPI, else the first address; `wanted` names the
 * only kind that is acceptable.
 * @throws {ImportError} with the reason for each source when none can become an entry
 */
export function sourceOf(server: ServerJson, wanted: SourceKind | null): ServerSource {
  const packages = server.packages.map((pkg) => ({ pkg, reason: reasonAgainst(pkg) }));
  const sources = [
    ...(['npm', 'pypi'] as const).flatMap((kind) =>
      packages.flatMap(({ pkg, reason }) =>
        reason === null && pkg.registryType === kind
          ? [{ kind, package: { ...pkg, version: pkg.version ?? '' } }]
          : [],
      ),
    ),
    ...server.remotes.map((remote) => ({ kind: 'remote' as const, remote })),
  ];
  const chosen = sources.find(({ kind }) => wanted === null || kind === wanted);
  if (chosen) return chosen;
  const reasons = packages.map(
    ({ pkg, reason }) => `  ${pkg.registryType} ${pkg.identifier}: ${reason ?? 'not asked for'}`,
  );
  throw new ImportError(
    [`${server.name} has no ${wanted ?? 'package or address'} that can become an entry.`, ...reasons].join(
      '\n',
    ),
  );
}

function reasonAgainst(pkg: ServerPackage): string | null {
  const { registryType: type, registryBaseUrl: base, transport, runtimeArguments } = pkg;
  if (type !== 'npm' && type !== 'pypi') return 'only packages of npm and PyPI can be installed';
  if (transport.type !== 'stdio') return `it speaks ${transport.type}, and a package must speak stdio`;
  if (base !== undefined && !REGISTRIES[type].test(base)) return `it is published at ${base}`;
  if (!NAME.test(pkg.identifier)) return 'this is not the name of a package';
  if (!VERSION.test(pkg.version ?? '')) return 'it names no exact version';
  return runtimeArguments.every(isConsent)
    ? null
    : 'it needs arguments for npx or uvx, which do not run here';
}

/** npx asks before it fetches a package, and `--yes` answers. */
function isConsent(argument: Argument): boolean {
  const text = argument.type === 'named' ? argument.name : argument.value;
  return text === '-y' || text === '--yes';
}
