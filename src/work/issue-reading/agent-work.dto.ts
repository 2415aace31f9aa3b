import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { toWholeNumber } from '../../platform/http/page.query.js';
import { ExplainedIssueResponse } from './issue.response.js';

export class AgentWorkQuery {
  /** The most issues of each of the two lists. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 500, default: 100, required: false })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(1)
  @Max(500)
  limit: number = 100;
}

/** The issues of an agent that are not finished, as far as the caller sees them. */
export class AgentWorkResponse {
  @ApiProperty({ type: [ExplainedIssueResponse], description: 'Those that it holds a live lease of.' })
  running!: ExplainedIssueResponse[];
  @ApiProperty({
    type: [ExplainedIssueResponse],
    description:
      'The others in the order in which the agent gets them: `why` says why it has not got one yet. Those that it cannot get now come last.',
  })
  next!: ExplainedIssueResponse[];
}
