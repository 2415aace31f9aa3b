import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDate, IsIn, IsString, IsUUID } from 'class-validator';
import { INSTANT_MESSAGE, toInstant } from '../../../platform/http/body/instant.js';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';
import { IsText } from '../../../platform/http/body/text-rules.js';
import { PageQuery } from '../../../platform/http/pages/page.query.js';
import { usageGroups, type UsageGroup } from '../usage-evaluation.repository.js';

export class UsageQuery extends PageQuery {
  @ApiProperty({ enum: usageGroups, default: 'agent', required: false })
  @IsIn(usageGroups)
  groupBy: UsageGroup = 'agent';

  /** Usage from this instant on, in whole hours; absent: the last 30 days. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: INSTANT_MESSAGE })
  from?: Date;

  /** Usage before this instant, in whole hours; absent: until now. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: INSTANT_MESSAGE })
  to?: Date;

  @MayBeAbsent()
  @IsUUID('all', { message: 'must be the id of an agent' })
  agentId?: string;

  /** Id or key of the project. */
  @MayBeAbsent()
  @IsString()
  projectId?: string;

  /** Id or key of the issue. */
  @MayBeAbsent()
  @IsString()
  issueId?: string;

  /** A model as agents name it in their reports. */
  @MayBeAbsent()
  @IsText({ min: 1, max: 200, unit: 'codePoints' })
  model?: string;
}
