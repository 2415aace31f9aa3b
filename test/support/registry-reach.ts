/** Environment variables that a host may need to reach the npm registry. */
const NAMES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'HTTPS_PROXY', 'NO_PROXY', 'npm_config_registry'];

/**
 * Returns these variables for a service's environment. Where the network terminates TLS, npm without the certificates
 * of the host retries each package until the install times out.
 */
export function registryReach(): Record<string, string> {
  return Object.fromEntries(
    NAMES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])) as [string, string][],
  );
}
