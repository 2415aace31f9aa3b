import { ApiProperty } from '@nestjs/swagger';
import type { CatalogEntry, PackagePin, RemoteManifest, StdioManifest } from '../catalog-entry.js';

const anything = { type: 'object', additionalProperties: true, nullable: true } as const;

/** The exact package; all but `registry` null where nothing is fetched, version and integrity where not pinned. */
export class PackageResponse {
  @ApiProperty({ enum: ['npm', 'pypi', 'none'] })
  registry!: PackagePin['registry'];
  name!: string | null;
  version!: string | null;
  /** Of the package's own archive; checked at install. */
  integrity!: string | null;

  static from({ registry, name = null, version = null, integrity = null }: PackagePin): PackageResponse {
    return Object.assign(new PackageResponse(), { registry, name, version, integrity });
  }
}

/** How the server is started: `{installDir}`, `{dataDir}` and `{env:NAME}` are filled in then. */
export class LaunchResponse {
  command!: string;
  args!: string[];
  cwd!: string | null;

  static from({ command, args, cwd }: StdioManifest['launch']): LaunchResponse {
    return Object.assign(new LaunchResponse(), { command, args, cwd });
  }
}

/** A harmless tool call that fails with a wrong credential. */
export class CredentialProbeResponse {
  tool!: string;
  @ApiProperty({ type: 'object', additionalProperties: true })
  arguments!: Record<string, unknown>;
}

abstract class ManifestResponse {
  @ApiProperty({ enum: ['shared', 'agent'], description: 'One process for all agents, or one for each.' })
  sharing!: StdioManifest['sharing'];
  credentialProbe!: CredentialProbeResponse | null;
  @ApiProperty({ ...anything, description: "The entry in the official registry's form, for export." })
  serverJson!: Record<string, unknown> | null;
}

export class StdioManifestResponse extends ManifestResponse {
  package!: PackageResponse;
  launch!: LaunchResponse;
  runInstallScripts!: boolean;

  static from(manifest: StdioManifest): StdioManifestResponse {
    const { runInstallScripts, sharing, credentialProbe, serverJson } = manifest;
    return Object.assign(new StdioManifestResponse(), {
      package: PackageResponse.from(manifest.package),
      launch: LaunchResponse.from(manifest.launch),
      ...{ runInstallScripts, sharing, credentialProbe, serverJson },
    });
  }
}

export class RemoteManifestResponse extends ManifestResponse {
  url!: string;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  headers!: Record<string, string>;

  static from({
    url,
    headers,
    sharing,
    credentialProbe,
    serverJson,
  }: RemoteManifest): RemoteManifestResponse {
    return Object.assign(new RemoteManifestResponse(), {
      url,
      headers,
      sharing,
      credentialProbe,
      serverJson,
    });
  }
}

export function manifestOf(entry: CatalogEntry): StdioManifestResponse | RemoteManifestResponse {
  return entry.transport === 'stdio'
    ? StdioManifestResponse.from(entry.manifest)
    : RemoteManifestResponse.from(entry.manifest);
}
