/** What a host may need to reach the npm registry. */
const NAMES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'HTTPS_PROXY', 'NO_PROXY', 'npm_config_registry'];

/**
 * A part of a service's environment. Without the certificates of a host whose network ends TLS, npm tries each
 * package again and again until the install's time is over.
 */
export function registryReach(): Record<string, string> {
  return Object.fromEntries(
    NAMES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])) as [string, string][],
  );
}
