import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsString, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';
import { ReportsUsageRequest } from '../../../work/usage/dto/usage-report.request.js';

export class TurnRequest extends ReportsUsageRequest {
  /**
   * Id or key of the issue that the worker is about to continue.
   * @example DOCS-1
   */
  @MayBeAbsent()
  @IsString()
  issueId?: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'The token of the lease, which the turn renews.',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  token?: number;

  /**
   * The `toolsVersion` of an earlier turn. While it is the present one, `tools` is `unchanged`.
   * @example 47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU
   */
  @MayBeAbsent()
  @IsString()
  toolsVersion?: string;
}
