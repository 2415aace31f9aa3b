/**
 * The environment that the service was started with, for finding runtimes and running package managers. Handed in
 * where the settings are read; whoever starts a program picks from it by name, since the rest may hold secrets.
 */
export class HostEnvironment {
  constructor(readonly variables: Readonly<Record<string, string | undefined>>) {}

  /** The service's own PATH. */
  get path(): string {
    return this.variables.PATH ?? '';
  }

  get home(): string {
    return this.variables.HOME ?? '/';
  }
}
