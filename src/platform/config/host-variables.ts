/**
 * The environment as the service found it, for those who start other people's programs and have to hand on a
 * PATH, a proxy or a package manager's configuration. They pick from it by name: the rest may hold secrets.
 */
export function hostVariables(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
