import type { HostEnvironment } from '../runtime/host-environment.js';

const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'];
const common = new Set([
  ...[
    'PATH',
    'HOME',
    'USERPROFILE',
    'TMPDIR',
    'LANG',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
    'NODE_EXTRA_CA_CERTS',
  ],
  ...proxies,
  ...proxies.map((name) => name.toLowerCase()),
]);

/**
 * The environment of a package manager: paths, proxies, certificates and its own configuration (`NPM_CONFIG_*`,
 * `PIP_*`, `PIPX_*`), and nothing else of the service's, whose keys and passwords are none of its business.
 */
export function toolEnvironment(
  host: HostEnvironment,
  prefix: RegExp,
  more: Record<string, string> = {},
): Record<string, string> {
  const kept = Object.entries(host.variables).filter(
    (pair): pair is [string, string] =>
      pair[1] !== undefined && (common.has(pair[0]) || prefix.test(pair[0])),
  );
  return { ...Object.fromEntries(kept), ...more };
}
