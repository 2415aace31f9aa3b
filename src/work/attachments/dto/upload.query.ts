import { IsUUID } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';

/** How a file is uploaded (contract §5.4). */
export class UploadQuery {
  /** The attachment of the same issue that the file replaces, such as an earlier state of a log. */
  @MayBeAbsent()
  @IsUUID('all', { message: 'must be the id of an attachment' })
  replaces?: string;
}
