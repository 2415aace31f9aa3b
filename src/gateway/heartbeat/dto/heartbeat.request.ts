import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsString, Max, Min, ValidateNested } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/presence.decorators.js';

export class NamedLeaseRequest {
  @IsString()
  issueId!: string;

  @ApiProperty({ type: 'integer' })
  @IsInt()
  @Min(0)
  token!: number;
}

export class HeartbeatRequest {
  @ApiProperty({
    type: [NamedLeaseRequest],
    required: false,
    description: 'The leases that this worker holds: they are renewed.',
  })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(1000)
  @ValidateNested({ each: true })
  @Type(() => NamedLeaseRequest)
  leases?: NamedLeaseRequest[];

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 1000,
    required: false,
    example: 1,
    description: 'Free slots of this worker now; left out: no limit of its own.',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(1000)
  capacity?: number;
}
