import { ApiProperty } from '@nestjs/swagger';
import { IsIn, Matches } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';
import { IsText } from '../../../platform/http/body/text-rules.js';
import {
  assignmentRules,
  visibilities,
  type AssignmentRule,
  type ProjectVisibility,
} from '../project-row.js';

export class CreateProjectRequest {
  /**
   * The prefix of its issues' keys, as in DOCS-12. It never changes.
   * @example DOCS
   */
  @Matches(/^[A-Z][A-Z0-9]{1,9}$/, { message: 'must be 2 to 10 of A-Z and 0-9, a letter first' })
  key!: string;

  /** @example Documentation */
  @IsText({ min: 1, max: 200, unit: 'codePoints', trim: true })
  name!: string;

  /** @example "Everything that people read about the product." */
  @MayBeAbsent()
  @IsText({ min: 0, max: 65_536, unit: 'bytes' })
  description?: string;

  @ApiProperty({
    enum: visibilities,
    default: 'open',
    required: false,
    description: 'open: every user sees the project; members: only its members do.',
  })
  @MayBeAbsent()
  @IsIn(visibilities)
  visibility?: ProjectVisibility;

  @ApiProperty({
    enum: assignmentRules,
    default: 'any',
    required: false,
    description:
      'To whom agents may assign the issues that they create here: all agents, or themselves only.',
  })
  @MayBeAbsent()
  @IsIn(assignmentRules)
  agentsMayAssign?: AssignmentRule;
}
