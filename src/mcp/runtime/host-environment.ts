/**
 * The environment with which the service was started, for finding runtimes and running package managers. It is passed
 * in where the settings are read. Code that starts a program picks variables by name, since others may hold secrets.
 */
export class HostEnvironment {
  constructor(readonly variables: Readonly<Record<string, string | undefined>>) {}

  /** The PATH of the service. */
  get path(): string {
    return this.variables.PATH ?? '';
  }

  get home(): string {
    return this.variables.HOME ?? '/';
  }
}
