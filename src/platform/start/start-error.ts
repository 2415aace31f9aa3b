/** EX_CONFIG: a person has to change something before a start can succeed, so a supervisor must not try again. */
export const EXIT_CONFIG = 78;
/** The obstacle may pass by itself, so a supervisor may try again. */
export const EXIT_RETRY = 1;

/** A start that failed for a reason outside of the service. The message is complete: a stack would not help. */
export class StartError extends Error {
  /**
   * @param problem what is wrong, with the name of the setting and without a secret
   * @param remedy what the operator can do, beginning with a verb in lower case
   */
  constructor(
    readonly problem: string,
    readonly remedy: string,
    readonly exitCode: typeof EXIT_CONFIG | typeof EXIT_RETRY,
  ) {
    super(`${problem}. ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`);
  }
}
