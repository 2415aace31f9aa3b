import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { pick } from '../../../platform/http/pick.js';
import type { CatalogEntry, EnvironmentVariable } from '../catalog-entry.js';
import type { Installability } from '../installability.js';
import { CatalogEntryResponse } from './catalog-entry.response.js';
import { manifestOf, RemoteManifestResponse, StdioManifestResponse } from './manifest.response.js';

const FORMATS = ['string', 'number', 'boolean', 'filepath', 'file'] as const;

/** A variable that the server reads. */
export class EnvironmentVariableResponse {
  /** @example MEMORY_FILE_PATH */
  name!: string;
  description!: string;
  isRequired!: boolean;
  isSecret!: boolean;
  /** Used when no value is given; `{dataDir}` stands for the server's own folder. */
  default!: string | null;
  @ApiProperty({ type: 'string', enum: [...FORMATS, null], nullable: true })
  format!: EnvironmentVariable['format'];
  choices!: string[] | null;
  placeholder!: string | null;
  /** A regular expression of ECMAScript with the u flag; the whole value must match. */
  pattern!: string | null;
  @ApiProperty({
    enum: ['read', 'write'],
    description: 'How the path of this host is mounted, for the format filepath.',
  })
  access!: EnvironmentVariable['access'];
  /** Where a program of the host is looked for when no value is given. */
  @ApiProperty({ type: [String], nullable: true })
  searchPaths!: string[] | null;

  static from(variable: EnvironmentVariable): EnvironmentVariableResponse {
    return {
      ...pick(variable, 'name', 'description', 'isRequired', 'isSecret', 'format', 'choices'),
      ...pick(variable, 'placeholder', 'pattern', 'access', 'default'),
      searchPaths: variable.searchPaths ?? null,
    };
  }
}

/** An entry with every field of its file, defaults filled in. */
@ApiExtraModels(StdioManifestResponse, RemoteManifestResponse)
export class CatalogEntryDetailResponse extends CatalogEntryResponse {
  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(StdioManifestResponse) }, { $ref: getSchemaPath(RemoteManifestResponse) }],
    description: 'How the server is fetched and started, or the address of a remote server.',
  })
  manifest!: StdioManifestResponse | RemoteManifestResponse;
  environmentVariables!: EnvironmentVariableResponse[];
  /** A semver range of the runtime that the server needs. */
  runtimeVersion!: string | null;
  /**
   * The address in a registry that the entry was imported from.
   * @example "https://registry.modelcontextprotocol.io/v0.1/servers/io.github.acme%2Fweather/versions/1.2.0"
   */
  importedFrom!: string | null;

  static of(entry: CatalogEntry, installability: Installability): CatalogEntryDetailResponse {
    return {
      ...CatalogEntryResponse.from(entry, installability),
      manifest: manifestOf(entry),
      environmentVariables: entry.environmentVariables.map(EnvironmentVariableResponse.from),
      runtimeVersion: entry.runtimeVersion,
      importedFrom: entry.importedFrom ?? null,
    };
  }
}
