import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDate, IsIn, IsString, IsUUID } from 'class-validator';
import { type CallOutcome, callOutcomes } from '../../mcp/server-tools/tool-call.js';
import { PageQuery } from '../../platform/http/page.query.js';
import { INSTANT_MESSAGE, IsText, toInstant } from '../../platform/http/text-rules.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';

/** The filters of all routes about tool calls. */
export class CallWindowQuery {
  @MayBeAbsent()
  @IsUUID('all', { message: 'must be the id of an agent' })
  agentId?: string;

  @MayBeAbsent()
  @IsUUID('all', { message: 'must be the id of an installed server' })
  serverId?: string;

  /** The server's own name of the tool. */
  @MayBeAbsent()
  @IsText({ min: 1, max: 1024, unit: 'codePoints' })
  toolName?: string;

  /** Only calls at or after this instant, in ISO 8601 with a time zone. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: INSTANT_MESSAGE })
  from?: Date;

  /** Only calls before this instant. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: INSTANT_MESSAGE })
  to?: Date;
}

class OutcomeQuery {
  @ApiProperty({ enum: callOutcomes, enumName: 'CallOutcome', required: false })
  @MayBeAbsent()
  @IsIn(callOutcomes)
  outcome?: CallOutcome;
}

/** The list of the calls for one issue. */
export class ListIssueCallsQuery extends IntersectionType(PageQuery, CallWindowQuery, OutcomeQuery) {}

/** The list of all calls. */
export class ListCallsQuery extends ListIssueCallsQuery {
  /** Id or key of the issue. */
  @MayBeAbsent()
  @IsString()
  issueId?: string;
}
