import { ApiProperty } from '@nestjs/swagger';
import type { FieldError } from '../../../platform/http/problem/problem.js';

/** An error of an entry. */
export class EntryErrorResponse {
  /**
   * The field; empty for the entry as a whole.
   * @example "manifest.launch.args[0]"
   */
  path!: string;
  /** @example "uses ACME_TOKEN, which is not declared in environmentVariables" */
  message!: string;
}

/** The result of a check of an entry. */
export class EntryCheckResponse {
  /** Whether the entry could be loaded from a folder of CATALOG_DIRS. */
  valid!: boolean;
  @ApiProperty({ type: [EntryErrorResponse], description: 'Every error; none if the entry is valid.' })
  errors!: EntryErrorResponse[];

  static from(errors: FieldError[]): EntryCheckResponse {
    return {
      valid: errors.length === 0,
      errors: errors.map(({ path, message }) => ({ path, message })),
    };
  }
}
