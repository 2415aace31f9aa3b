import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsObject, IsString, MaxLength } from 'class-validator';
import { pick } from '../../platform/http/pick.js';
import type { FieldError } from '../../platform/http/problem.js';
import { MayBeAbsent, toBoolean } from '../../platform/http/validation.pipe.js';
import {
  type CatalogEntry,
  categories,
  type Category,
  credentialCheckOf,
  type EnvironmentVariable,
  requiresCredentials,
  type Runtime,
  runtimes,
  type Transport,
  transports,
} from './catalog-entry.js';
import type { Installability } from './installability-and-runtime-detection.js';
import { manifestOf, RemoteManifestResponse, StdioManifestResponse } from './manifest.response.js';

export class CheckEntryRequest {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The content of the file of an entry.',
    example: {
      id: 'reports',
      name: 'Reports',
      description: 'Search the reports of this company.',
      category: 'search',
      transport: 'http',
      runtime: 'none',
      version: '1',
      manifest: { url: 'https://reports.example.com/mcp' },
      environmentVariables: [],
    },
  })
  @IsObject({ message: 'must be an object: the content of the file of an entry' })
  entry!: Record<string, unknown>;
}

export class ListCatalogQuery {
  @ApiProperty({ enum: categories, required: false })
  @MayBeAbsent()
  @IsIn(categories)
  category?: Category;

  @ApiProperty({ enum: transports, required: false })
  @MayBeAbsent()
  @IsIn(transports)
  transport?: Transport;

  @ApiProperty({ enum: runtimes, required: false })
  @MayBeAbsent()
  @IsIn(runtimes)
  runtime?: Runtime;

  /** Only the entries that this host can install now, or only the others. */
  @ApiProperty({ type: 'boolean', required: false })
  @MayBeAbsent()
  @Transform(toBoolean)
  @IsBoolean({ message: 'installable must be true or false' })
  installable?: boolean;

  /** Words that must all occur in id, name, description or publisher. */
  @MayBeAbsent()
  @IsString()
  @MaxLength(200)
  q?: string;
}

/** A server that can be installed. */
export class CatalogEntryResponse {
  /** @example memory */
  id!: string;
  /** @example Memory */
  name!: string;
  description!: string;
  @ApiProperty({ enum: categories })
  category!: Category;
  @ApiProperty({ enum: transports })
  transport!: Transport;
  @ApiProperty({ enum: runtimes, description: 'The runtime that the host must have.' })
  runtime!: Runtime;
  /** Whether the entry has been reviewed; `verifiedBy` names the reviewer. */
  verified!: boolean;
  verifiedBy!: string | null;
  /** @example 2026.8.31 */
  version!: string;
  publisher!: string | null;
  homepage!: string | null;
  license!: string | null;
  installInstructions!: string;
  /** Whether a required variable without a default is secret. */
  requiresCredentials!: boolean;
  /**
   * What a verification proves about the credentials; null when the server reads none.
   * @example "Verify calls get_me, which fails with a wrong credential."
   */
  credentialCheck!: string | null;
  /** Whether this host can install the server now. */
  installable!: boolean;
  /** Why it cannot be installed; null when it can. */
  installableReason!: string | null;

  static from(entry: CatalogEntry, { installable, reason }: Installability): CatalogEntryResponse {
    return {
      ...pick(entry, 'id', 'name', 'description', 'category', 'transport', 'runtime'),
      ...pick(entry, 'verified', 'verifiedBy', 'version', 'publisher', 'homepage', 'license'),
      installInstructions: entry.installInstructions,
      requiresCredentials: requiresCredentials(entry),
      credentialCheck: credentialCheckOf(entry),
      installable,
      installableReason: reason,
    };
  }
}

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

/** An error of an entry. */
export class EntryErrorResponse {
  /**
   * The field; empty for the entry as a whole.
   * @example "manifest.launch.args[0]"
   */
  path!: string;
  /** @example "uses ACME_TOKEN, which is not declared in environmentVariables" */
  message!: string;
}

/** The result of a check of an entry. */
export class EntryCheckResponse {
  /** Whether the entry could be loaded from a folder of CATALOG_DIRS. */
  valid!: boolean;
  @ApiProperty({ type: [EntryErrorResponse], description: 'Every error; none if the entry is valid.' })
  errors!: EntryErrorResponse[];

  static from(errors: FieldError[]): EntryCheckResponse {
    return {
      valid: errors.length === 0,
      errors: errors.map(({ path, message }) => ({ path, message })),
    };
  }
}

/** The catalogue after it was read again. */
export class CatalogReloadResponse {
  @ApiProperty({ type: 'integer', description: 'How many entries the catalogue has now.', example: 40 })
  entries!: number;

  static from(entries: number): CatalogReloadResponse {
    return { entries };
  }
}
