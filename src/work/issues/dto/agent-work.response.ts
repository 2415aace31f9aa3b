import { ApiProperty } from '@nestjs/swagger';
import { ExplainedIssueResponse } from './issue.response.js';

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
