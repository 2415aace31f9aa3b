import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsInt, IsObject, IsString, Max, Min, ValidateNested } from 'class-validator';
import { IsName } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent, MayBeNull, toBoolean } from '../../platform/http/validation.pipe.js';
import { LIMIT_RANGES, type LimitName } from '../processes/server-limits.js';

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
