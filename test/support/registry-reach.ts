/** What a host may need to reach the npm registry; the harness hands on nothing of the test's own environment. */
const NAMES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'HTTPS_PROXY', 'NO_PROXY', 'npm_config_registry'];

/** The settings of a service whose servers are fetched from the registry. */
export function registryReach(): Record<string, string> {
  return Object.fromEntries(
    NAMES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])) as [string, string][],
  );
}
