import { PartialType } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { pick } from '../../platform/http/pick.js';
import { IsText } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import type { View } from './view.entity.js';

export class CreateViewRequest {
  /**
   * Unique without regard to case: among the caller's own views of the project, or among its shared ones.
   * @example "Urgent and unassigned"
   */
  // It is a line of a menu.
  @IsText({ min: 1, max: 100, unit: 'codePoints', trim: true, oneLine: true })
  name!: string;

  /**
   * The search string of the address of a list, without the question mark. The service does not read it.
   * @example "priority=urgent&assigneeId=none&sort=createdAt"
   */
  @IsText({ min: 0, max: 2_000, unit: 'codePoints' })
  query!: string;

  /** Whether everyone who sees the project sees the view. Only an Editor may share one. */
  @MayBeAbsent()
  @IsBoolean()
  shared?: boolean;
}

/** An absent field stays as it is. */
export class UpdateViewRequest extends PartialType(CreateViewRequest, { skipNullProperties: false }) {}

/** A view of a list of issues that a person has kept. */
export class ViewResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11 */
  id!: string;
  projectId!: string;
  /** @example Urgent and unassigned */
  name!: string;
  /** @example priority=urgent&assigneeId=none&sort=createdAt */
  query!: string;
  shared!: boolean;
  ownerId!: string;
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: View): ViewResponse {
    return pick(row, 'id', 'projectId', 'name', 'query', 'shared', 'ownerId', 'createdAt', 'updatedAt');
  }
}
