import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../platform/http/pick.js';
import type {
  CatalogEntry,
  EntryLimits,
  NetworkNeed,
  PackagePin,
  RemoteManifest,
  RemoteOauth,
  StdioManifest,
} from './catalog-entry.js';

const LIMITS = ['memoryMb', 'processes', 'openFiles', 'callTimeoutSeconds'] satisfies (keyof EntryLimits)[];

const anyObject = { type: 'object', additionalProperties: true, nullable: true } as const;

/** An archive of a package; the name of a wheel says for which Python and platform it is. */
export class ArchiveResponse {
  /** @example anyio-4.6.2-py3-none-any.whl */
  filename!: string;
  /** The SHA-256 hash in hex. */
  sha256!: string;
}

/** A package that a package of pypi depends on. */
export class DistributionResponse {
  /** @example anyio */
  name!: string;
  /** @example 4.6.2 */
  version!: string;
  files!: ArchiveResponse[];
}

/**
 * The exact package. `registry` none fetches nothing and leaves the other fields null; a package that is not pinned
 * has null for version and integrity.
 */
export class PackageResponse {
  @ApiProperty({ enum: ['npm', 'pypi', 'none'] })
  registry!: PackagePin['registry'];
  name!: string | null;
  version!: string | null;
  /** Subresource integrity of the package's own archive; checked at installation. */
  integrity!: string | null;
  /** Every package that a package of pypi depends on, with its hashes; null if they are resolved at installation. */
  closure!: DistributionResponse[] | null;

  static from({
    registry,
    name = null,
    version = null,
    integrity = null,
    closure = null,
  }: PackagePin): PackageResponse {
    return { registry, name, version, integrity, closure };
  }
}

/** How the server is started; `{installDir}`, `{dataDir}` and `{env:NAME}` are filled in at the start. */
export class LaunchResponse {
  command!: string;
  args!: string[];
  cwd!: string | null;

  static from(launch: StdioManifest['launch']): LaunchResponse {
    return pick(launch, 'command', 'args', 'cwd');
  }
}

/** A harmless tool call that fails with a wrong credential. */
export class CredentialProbeResponse {
  tool!: string;
  @ApiProperty({ type: 'object', additionalProperties: true })
  arguments!: Record<string, unknown>;
}

abstract class ManifestResponse {
  @ApiProperty({
    enum: ['shared', 'agent'],
    description: 'Whether all agents share one process or each agent has its own.',
  })
  sharing!: StdioManifest['sharing'];
  credentialProbe!: CredentialProbeResponse | null;
  /**
   * Why there is none: the end of the sentence 'verify cannot check this credential because …'.
   * @example "its tools report a wrong key as an ordinary result"
   */
  noProbeReason!: string | null;
  @ApiProperty({ ...anyObject, description: "The entry in the official registry's format, for export." })
  serverJson!: Record<string, unknown> | null;
}

export class StdioManifestResponse extends ManifestResponse {
  package!: PackageResponse;
  launch!: LaunchResponse;
  runInstallScripts!: boolean;
  @ApiProperty({
    nullable: true,
    oneOf: [
      { type: 'string', enum: ['none', 'any'] },
      {
        type: 'object',
        properties: { hosts: { type: 'array', items: { type: 'string' } } },
        required: ['hosts'],
      },
    ],
    description:
      'What the server may reach at the two best sandbox levels: nothing, every public host, or these hosts; null is the network of the host.',
  })
  network!: NetworkNeed | null;
  @ApiProperty({
    nullable: true,
    type: 'object',
    properties: Object.fromEntries(LIMITS.map((name) => [name, { type: 'integer' }])),
    description: 'Limits in place of those of the service; null: none.',
    example: { memoryMb: 2048 },
  })
  limits!: EntryLimits | null;

  static from(manifest: StdioManifest): StdioManifestResponse {
    return {
      package: PackageResponse.from(manifest.package),
      launch: LaunchResponse.from(manifest.launch),
      network: manifest.network ?? null,
      limits: manifest.limits ?? null,
      ...pick(manifest, 'runInstallScripts', 'sharing', 'credentialProbe'),
      ...optionalOf(manifest),
    };
  }
}

export class RemoteManifestResponse extends ManifestResponse {
  url!: string;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  headers!: Record<string, string>;
  @ApiProperty({
    ...anyObject,
    description:
      'How the service gets access tokens for the server (OAuth 2.1); null: as the server itself asks for it.',
  })
  oauth!: RemoteOauth | null;

  static from(manifest: RemoteManifest): RemoteManifestResponse {
    return {
      ...pick(manifest, 'url', 'headers', 'sharing', 'credentialProbe'),
      oauth: manifest.oauth ?? null,
      ...optionalOf(manifest),
    };
  }
}

/** Entries of an operator, and those of an earlier release, may lack these. */
function optionalOf({ noProbeReason = null, serverJson = null }: StdioManifest | RemoteManifest) {
  return { noProbeReason, serverJson };
}

export function manifestOf(entry: CatalogEntry): StdioManifestResponse | RemoteManifestResponse {
  return entry.transport === 'stdio'
    ? StdioManifestResponse.from(entry.manifest)
    : RemoteManifestResponse.from(entry.manifest);
}
