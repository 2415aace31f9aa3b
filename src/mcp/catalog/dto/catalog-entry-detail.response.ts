import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { CatalogEntry, EnvironmentVariable } from '../catalog-entry.js';
import type { Installability } from '../installability.js';
import { CatalogEntryResponse, summaryOf } from './catalog-entry.response.js';
import { manifestOf, RemoteManifestResponse, StdioManifestResponse } from './manifest.response.js';

const formats = ['string', 'number', 'boolean', 'filepath', 'file'] as const;

/** A variable that the server takes. */
export class EnvironmentVariableResponse {
  /** @example MEMORY_FILE_PATH */
  name!: string;
  description!: string;
  isRequired!: boolean;
  isSecret!: boolean;
  /** Passed when no value is given; `{dataDir}` stands for the server's own folder. */
  default!: string | null;
  @ApiProperty({ type: 'string', enum: [...formats, null], nullable: true })
  format!: EnvironmentVariable['format'];
  choices!: string[] | null;
  placeholder!: string | null;
  /** ECMAScript with the u flag; the whole value must match. */
  pattern!: string | null;
  @ApiProperty({
    enum: ['read', 'write'],
    description: 'Of a filepath: how its path of this host is mounted.',
  })
  access!: EnvironmentVariable['access'];

  static from(variable: EnvironmentVariable): EnvironmentVariableResponse {
    const { name, description, isRequired, isSecret, format, choices, placeholder, pattern, access } =
      variable;
    const fields = { name, description, isRequired, isSecret, format, choices, placeholder, pattern, access };
    return Object.assign(new EnvironmentVariableResponse(), fields, { default: variable.default });
  }
}

/** An entry with all that its file says, every default filled in. */
@ApiExtraModels(StdioManifestResponse, RemoteManifestResponse)
export class CatalogEntryDetailResponse extends CatalogEntryResponse {
  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(StdioManifestResponse) }, { $ref: getSchemaPath(RemoteManifestResponse) }],
    description: 'How it is fetched and started, or where it is reached.',
  })
  manifest!: StdioManifestResponse | RemoteManifestResponse;
  environmentVariables!: EnvironmentVariableResponse[];
  /** A semver range of the runtime that the server needs. */
  runtimeVersion!: string | null;

  static of(entry: CatalogEntry, { installable, reason }: Installability): CatalogEntryDetailResponse {
    return Object.assign(new CatalogEntryDetailResponse(), summaryOf(entry, installable, reason), {
      manifest: manifestOf(entry),
      environmentVariables: entry.environmentVariables.map(EnvironmentVariableResponse.from),
      runtimeVersion: entry.runtimeVersion,
    });
  }
}
