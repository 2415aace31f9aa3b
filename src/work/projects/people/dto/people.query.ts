import { IsString } from 'class-validator';
import { MayBeAbsent } from '../../../../platform/http/body/presence.decorators.js';
import { PageQuery } from '../../../../platform/http/pages/page.query.js';

export class PeopleQuery extends PageQuery {
  /**
   * Id or key of a project: only those who see it, with their role there.
   * @example DOCS
   */
  @MayBeAbsent()
  @IsString()
  projectId?: string;
}
