import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { pick } from '../../platform/http/pick.js';
import { IsText } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import { type LabelColor, labelColors } from '../issue-status/issue-row-and-references.js';
import type { CountedLabel } from './label.repository.js';

export class CreateLabelRequest {
  /**
   * Unique in the project without regard to case.
   * @example "bug"
   */
  // It stands within a line of the brief of an agent.
  @IsText({ min: 1, max: 64, unit: 'codePoints', trim: true, oneLine: true })
  name!: string;

  @ApiProperty({
    enum: labelColors,
    enumName: 'LabelColor',
    default: 'gray',
    required: false,
    example: 'red',
  })
  @MayBeAbsent()
  @IsIn(labelColors)
  color?: LabelColor;

  /** @example "Something does not do what it should." */
  @MayBeAbsent()
  @IsText({ min: 0, max: 65_536, unit: 'bytes' })
  description?: string;
}

/** An absent field stays as it is. */
export class UpdateLabelRequest extends PartialType(CreateLabelRequest, { skipNullProperties: false }) {}

/** A label of a project. */
export class LabelResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11 */
  id!: string;
  projectId!: string;
  /** @example bug */
  name!: string;
  @ApiProperty({ enum: labelColors, enumName: 'LabelColor' })
  color!: LabelColor;
  description!: string;
  @ApiProperty({
    type: 'integer',
    description: 'How many issues have it that are neither Resolved nor Closed.',
  })
  issues!: number;
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: CountedLabel): LabelResponse {
    return pick(row, 'id', 'projectId', 'name', 'color', 'description', 'issues', 'createdAt', 'updatedAt');
  }
}

/** A label as an issue shows it. */
export class IssueLabelResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11 */
  id!: string;
  /** @example bug */
  name!: string;
  @ApiProperty({ enum: labelColors, enumName: 'LabelColor' })
  color!: LabelColor;
}
