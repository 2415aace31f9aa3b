import { type ExitCode, ExitError } from '../exit/exit-codes.js';

/** A start that failed for a reason outside of the service. */
export class StartError extends ExitError {
  /**
   * @param problem what is wrong, with the name of the setting and without a secret
   * @param remedy what the operator can do, beginning with a verb in lower case
   */
  constructor(
    readonly problem: string,
    readonly remedy: string,
    exitCode: ExitCode,
  ) {
    super(`${problem}. ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`, exitCode);
  }
}
