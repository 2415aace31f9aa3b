import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsInt, IsObject, IsString, Max, Min, ValidateNested } from 'class-validator';
import { pick } from '../../platform/http/pick.js';
import { IsName } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent, MayBeNull, toBoolean } from '../../platform/http/validation.pipe.js';
import { type CatalogEntry, type Transport, transports } from '../catalog/catalog-entry.js';
import { missingVariables } from '../catalog/variable-values-and-placeholders.js';
import {
  LIMIT_RANGES,
  type LimitName,
  type ServerLimits,
} from '../processes/server-description-and-limits.js';
import type { ProcessLogLine } from '../running/server-logs.service.js';
import type { InstalledServerRow } from '../server-records/installed-server.repository.js';
import { type ServerStatus, serverStatuses } from '../server-records/server-records.entities.js';
import { type ToolState, toolStates } from '../server-tools/server-tool.repository.js';
import { isUpdate, type UpgradeReport } from './upgrade-plans.service.js';
import { LastVerificationResponse, VerificationResponse } from './verification.response.js';

const limit = (name: LimitName, description: string, example: number) =>
  ({
    type: 'integer',
    minimum: LIMIT_RANGES[name].least,
    maximum: LIMIT_RANGES[name].most,
    nullable: true,
    required: false,
    description: `${description} null: as the entry or the settings say.`,
    example,
  }) as const;

/** Limits of one server, above or below those of the service. A limit that is absent stays as it is. */
export class ServerLimitsRequest {
  @ApiProperty(limit('memoryMb', 'Memory of all its processes together, in MiB.', 2048))
  @MayBeNull()
  @IsInt()
  @Min(LIMIT_RANGES.memoryMb.least)
  @Max(LIMIT_RANGES.memoryMb.most)
  memoryMb?: number | null;

  @ApiProperty(limit('processes', 'Processes and threads at once.', 2048))
  @MayBeNull()
  @IsInt()
  @Min(LIMIT_RANGES.processes.least)
  @Max(LIMIT_RANGES.processes.most)
  processes?: number | null;

  @ApiProperty(limit('openFiles', 'Files and sockets that one of its processes has open at once.', 4096))
  @MayBeNull()
  @IsInt()
  @Min(LIMIT_RANGES.openFiles.least)
  @Max(LIMIT_RANGES.openFiles.most)
  openFiles?: number | null;

  @ApiProperty(limit('callTimeoutSeconds', 'Time of a tool call without progress.', 120))
  @MayBeNull()
  @IsInt()
  @Min(LIMIT_RANGES.callTimeoutSeconds.least)
  @Max(LIMIT_RANGES.callTimeoutSeconds.most)
  callTimeoutSeconds?: number | null;
}

export class UpdateServerRequest {
  /** Values by name, merged: a given value replaces the stored one, null removes an optional one, others stay. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', nullable: true }, example: {} })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object of values by name' })
  envValues?: Record<string, unknown>;

  @ApiProperty({ required: false, example: 'Everything for tests' })
  @MayBeAbsent()
  @IsName()
  name?: string;

  @ApiProperty({ type: ServerLimitsRequest, required: false })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object of limits' })
  @ValidateNested()
  @Type(() => ServerLimitsRequest)
  limits?: ServerLimitsRequest;
}

export class UpgradeServerQuery {
  /** Reports everything that an upgrade would do and changes nothing. */
  @ApiProperty({ type: 'boolean', default: false, required: false })
  @Transform(toBoolean)
  @IsBoolean({ message: 'must be true or false' })
  dryRun: boolean = false;
}

export class InstallServerRequest {
  /**
   * The id of an entry of the catalogue.
   * @example everything
   */
  @IsString()
  catalogId!: string;

  /** Values of the entry's variables by name. They are encrypted before they are stored and never returned. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', nullable: true }, example: {} })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object of values by name' })
  envValues?: Record<string, unknown>;

  /** Default: the entry's name, or `NAME 2` and so on where that is taken. */
  @ApiProperty({ required: false, example: 'Everything for tests' })
  @MayBeAbsent()
  @IsName()
  name?: string;

  @ApiProperty({ type: ServerLimitsRequest, required: false })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object of limits' })
  @ValidateNested()
  @Type(() => ServerLimitsRequest)
  limits?: ServerLimitsRequest;
}

/** The limits that were set for one server; null: as its entry or the settings say. */
export class ServerLimitsResponse {
  /** @example 2048 */
  memoryMb!: number | null;
  /** @example null */
  processes!: number | null;
  /** @example null */
  openFiles!: number | null;
  /** @example 120 */
  callTimeoutSeconds!: number | null;

  static of({ memoryMb, processes, openFiles, callTimeoutSeconds }: ServerLimits): ServerLimitsResponse {
    return {
      memoryMb: memoryMb ?? null,
      processes: processes ?? null,
      openFiles: openFiles ?? null,
      callTimeoutSeconds: callTimeoutSeconds ?? null,
    };
  }
}

/** An installed server with the catalogue's present entry for it; null where the catalogue has none. */
export interface ServerWithCatalogEntry {
  row: InstalledServerRow;
  inCatalog: CatalogEntry | null;
}

/** A server that was installed from the catalogue. */
export class InstalledServerResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
  id!: string;
  /** @example "Everything (reference)" */
  name!: string;
  /**
   * The prefix of its tools' names.
   * @example everything
   */
  slug!: string;
  /** @example everything */
  catalogId!: string;
  @ApiProperty({ enum: transports })
  transport!: Transport;
  @ApiProperty({ enum: serverStatuses })
  status!: ServerStatus;
  /** Why the server is in error; null otherwise. */
  statusReason!: string | null;
  lastVerification!: LastVerificationResponse | null;
  @ApiProperty({ type: [String], description: 'Names of the variables that have a value.' })
  configuredEnv!: string[];
  @ApiProperty({ type: [String], description: 'Names of the required variables that have no value.' })
  missingEnv!: string[];
  limits!: ServerLimitsResponse;
  /** @example 2026.8.31 */
  catalogVersion!: string;
  /** Whether the catalogue has another version, which POST …/upgrade installs. */
  updateAvailable!: boolean;
  createdAt!: Date;
  updatedAt!: Date;

  static from({ row, inCatalog }: ServerWithCatalogEntry): InstalledServerResponse {
    const { entry, lastVerification, configuredEnv } = row;
    return {
      ...pick(row, 'id', 'name', 'slug', 'catalogId'),
      transport: entry.transport,
      ...pick(row, 'status', 'statusReason'),
      lastVerification: lastVerification && LastVerificationResponse.ofServer(lastVerification),
      configuredEnv,
      missingEnv: missingVariables(entry, configuredEnv),
      limits: ServerLimitsResponse.of(row.limits),
      catalogVersion: entry.version,
      updateAvailable: inCatalog !== null && isUpdate(entry, inCatalog),
      ...pick(row, 'createdAt', 'updatedAt'),
    };
  }
}

/** The state of a tool under the new version; agents see approved tools only. */
export class ToolAfterUpgradeResponse {
  /** @example echo */
  name!: string;
  @ApiProperty({ enum: toolStates, enumName: 'ToolState' })
  state!: ToolState;
}

/** What an upgrade did, or what a dry run found. */
export class UpgradeReportResponse {
  dryRun!: boolean;
  /** Whether the server runs the new version now. */
  applied!: boolean;
  /** @example 2026.8.31 */
  fromVersion!: string;
  /** @example 2026.9.2 */
  toVersion!: string;
  @ApiProperty({
    type: [String],
    description: 'Variables that need a value before the upgrade: set them with PUT.',
  })
  missingVariables!: string[];
  @ApiProperty({
    type: [String],
    description: 'Variables that the new version no longer declares; the upgrade deletes their values.',
  })
  droppedVariables!: string[];
  /** The verification of the new version; null if there was none. */
  verification!: VerificationResponse | null;
  @ApiProperty({ type: [ToolAfterUpgradeResponse] })
  tools!: ToolAfterUpgradeResponse[];

  static from(report: UpgradeReport): UpgradeReportResponse {
    const { verification, tools } = report;
    return {
      ...pick(report, 'dryRun', 'applied', 'fromVersion', 'toVersion'),
      ...pick(report, 'missingVariables', 'droppedVariables'),
      verification: verification && VerificationResponse.from(verification),
      tools: tools.map((tool) => pick(tool, 'name', 'state')),
    };
  }
}

/** The server after an upgrade, or unchanged where nothing was upgraded. */
export class UpgradedServerResponse extends InstalledServerResponse {
  upgrade!: UpgradeReportResponse;

  static of(server: ServerWithCatalogEntry, report: UpgradeReport): UpgradedServerResponse {
    return { ...InstalledServerResponse.from(server), upgrade: UpgradeReportResponse.from(report) };
  }
}

export class LogLineResponse {
  @ApiProperty({ type: 'string', format: 'date-time' })
  at!: string;
  /** @example "Server is listening" */
  text!: string;

  /**
   * The service process that read the line.
   * @example "work-1:4711"
   */
  process!: string;
  /**
   * The credential set with which the server ran.
   * @example default
   */
  credentialSet!: string;

  static from(line: ProcessLogLine): LogLineResponse {
    return pick(line, 'at', 'text', 'process', 'credentialSet');
  }
}

/** The last lines that a server wrote to stderr. */
export class ServerLogResponse {
  /** Oldest first. */
  @ApiProperty({ type: [LogLineResponse] })
  lines!: LogLineResponse[];

  static from(lines: readonly ProcessLogLine[]): ServerLogResponse {
    return { lines: lines.map(LogLineResponse.from) };
  }
}
