import { IsText } from '../../../http/body/text-rules.js';

export class SetIdentityRequest {
  /** The `sub` of the person at the configured issuer. @example 248289761001 */
  @IsText({ min: 1, max: 255, unit: 'codePoints' })
  subject!: string;
}
