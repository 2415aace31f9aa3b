import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { MayBeNull } from '../../../platform/http/body/presence.decorators.js';
import { LIMIT_RANGES, type LimitName } from '../../processes/server-limits.js';

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
