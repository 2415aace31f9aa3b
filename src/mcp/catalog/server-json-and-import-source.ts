import { z } from 'zod';
import { ConfigurationError } from '../../platform/exit/exit-codes.js';

/** A server of a registry cannot become an entry; the message says why, and what a person can do. */
export class ImportError extends ConfigurationError {
  constructor(message: string) {
    super(message);
    this.name = 'ImportError';
  }
}

/** A value that a person gives, or that is fixed by `value`. */
const input = z.object({
  description: z.string().optional(),
  isRequired: z.boolean().default(false),
  isSecret: z.boolean().default(false),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  value: z.string().optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).optional(),
});
const inputWithVariables = input.extend({ variables: z.record(z.string(), input).default({}) });
const namedInput = inputWithVariables.extend({ name: z.string() });

const argument = z.discriminatedUnion('type', [
  namedInput.extend({ type: z.literal('named') }),
  inputWithVariables.extend({ type: z.literal('positional'), valueHint: z.string().optional() }),
]);

const packageOfServer = z.object({
  registryType: z.string(),
  registryBaseUrl: z.string().optional(),
  identifier: z.string(),
  version: z.string().optional(),
  fileSha256: z
    .string()
    .regex(/^[a-f0-9]{64}$/)
    .optional(),
  transport: z.object({ type: z.string() }),
  runtimeArguments: z.array(argument).default([]),
  packageArguments: z.array(argument).default([]),
  environmentVariables: z.array(namedInput).default([]),
});

const remote = z.object({
  type: z.enum(['streamable-http', 'sse']),
  url: z.string(),
  headers: z.array(namedInput).default([]),
  variables: z.record(z.string(), input).default({}),
});

/** The part of the registry's `server.json` (schema 2025-12-11) from which an entry is made. */
const serverJson = z.object({
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().optional(),
  description: z.string(),
  version: z.string(),
  websiteUrl: z.string().optional(),
  repository: z.object({ url: z.string() }).partial().optional(),
  packages: z.array(packageOfServer).default([]),
  remotes: z.array(remote).default([]),
});

/** The response of GET /v0.1/servers/{name}/versions/{version}; `status` is the registry's, not the publisher's. */
const serverResponse = z.object({
  server: serverJson,
  _meta: z
    .object({
      'io.modelcontextprotocol.registry/official': z
        .object({ status: z.string().optional(), statusMessage: z.string().optional() })
        .optional(),
    })
    .optional(),
});

/** Returns the response without null members: a registry that writes them means that they are absent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(given.map(([name, member]) => [name, withoutNulls(member)]));
}

export type Input = z.infer<typeof input>;
export type InputWithVariables = z.infer<typeof inputWithVariables>;
export type NamedInput = z.infer<typeof namedInput>;
export type Argument = z.infer<typeof argument>;
export type ServerPackage = z.infer<typeof packageOfServer>;
export type Remote = z.infer<typeof remote>;
export type ServerJson = z.infer<typeof serverJson>;

/** A server as a registry describes it, and the same object unchanged. */
export interface RegistryServer {
  server: ServerJson;
  source: Record<string, unknown>;
  /** A sentence if the registry marks the version as deprecated, or null. */
  warning: string | null;
}

/**
 * Parses the response of a registry.
 * @throws {ImportError} when it is not a server of the form 2025-12-11, or when the registry marks it as deleted
 */
export function parseServer(response: unknown): RegistryServer {
  const parsed = serverResponse.safeParse(withoutNulls(response));
  if (!parsed.success)
    throw new ImportError(`The registry's response is not a server.json:\n${z.prettifyError(parsed.error)}`);
  const { server, _meta } = parsed.data;
  const { status, statusMessage } = _meta?.['io.modelcontextprotocol.registry/official'] ?? {};
  const reason = statusMessage ? `: ${statusMessage}` : '.';
  if (status === 'deleted')
    throw new ImportError(`The registry marks ${server.name} ${server.version} as deleted${reason}`);
  const warning = status === 'deprecated' ? `The registry marks this version as deprecated${reason}` : null;
  return { server, source: (response as { server: Record<string, unknown> }).server, warning };
}

/** Where the code of an imported server comes from, or the address of a hosted one. */
export type ServerSource =
  | { kind: 'npm' | 'pypi'; package: ServerPackage & { version: string } }
  | { kind: 'remote'; remote: Remote };

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
    ...server.remotes.map((given) => ({ kind: 'remote' as const, remote: given })),
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
function isConsent(given: Argument): boolean {
  const text = given.type === 'named' ? given.name : given.value;
  return text === '-y' || text === '--yes';
}
