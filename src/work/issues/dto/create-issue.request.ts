import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import { MayBeAbsent, MayBeNull } from '../../../platform/http/body/presence.decorators.js';
import { IsText } from '../../../platform/http/body/text-rules.js';
import { priorities, type Priority } from '../priority.js';

export class CreateIssueRequest {
  /**
   * A short title in the imperative.
   * @example "Write the release notes"
   */
  @IsText({ min: 1, max: 500, unit: 'codePoints', trim: true })
  title!: string;

  /**
   * The brief that the agent reads.
   * @example "Collect what was merged since the last release and write the notes."
   */
  @MayBeNull()
  @IsText({ min: 0, max: 65_536, unit: 'bytes' })
  description?: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    description: 'The agent that works on the issue.',
  })
  @MayBeNull()
  @IsString()
  assignedAgentId?: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    description: 'The person who is responsible for the issue.',
  })
  @MayBeNull()
  @IsString()
  assigneeUserId?: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    description: 'A goal of the same project.',
  })
  @MayBeNull()
  @IsString()
  goalId?: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    description: 'Id or key of an issue that must be resolved or closed first.',
  })
  @MayBeNull()
  @IsString()
  blockedByIssueId?: string | null;

  @ApiProperty({ enum: priorities, enumName: 'Priority', default: 'none', required: false })
  @MayBeAbsent()
  @IsIn(priorities)
  priority?: Priority;
}
