/** EX_CONFIG: a person has to change something before a start can succeed, so a supervisor must not try again. */
export const EXIT_CONFIG = 78;
/** The obstacle may pass by itself, so a supervisor may try again. */
export const EXIT_RETRY = 1;

/** Each of them would end a process at once: open requests would be cut, and the embedded database left behind. */
export const ENDING_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGUSR2'] as const;

export type ExitCode = typeof EXIT_CONFIG | typeof EXIT_RETRY;

/**
 * An error that ends a start or a command with this code (contract §8.6). Its message is complete, so it is printed
 * without a stack. Every other error is a bug: it is printed whole and ends with `EXIT_RETRY`.
 */
export class ExitError extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode,
  ) {
    super(message);
  }
}

/** A person has to correct something, such as a setting, the key ring or the catalogue. */
export class ConfigurationError extends ExitError {
  constructor(message: string) {
    super(message, EXIT_CONFIG);
  }
}

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
