import { isAbsolute, join } from 'node:path';
import { childPath } from '../processes/sandbox/child-path.js';
import type { HostEnvironment } from '../runtime/host-environment.js';

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'];

/** How the network of this host is reached. */
const NETWORK = new Set([
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  ...PROXIES,
  ...PROXIES.map((name) => name.toLowerCase()),
]);

/** The settings of npm that name a registry and the way to it; none of them is a credential. */
const NPM =
  /^npm_config_(@[^:]+:)?(registry|cafile|proxy|https[-_]proxy|noproxy|strict[-_]ssl|fetch[-_]retries)$/i;

/** The same settings of pip. */
const PIP =
  /^PIP_(INDEX_URL|EXTRA_INDEX_URL|NO_INDEX|FIND_LINKS|TRUSTED_HOST|CERT|PROXY|RETRIES|TIMEOUT|DEFAULT_TIMEOUT)$/;

/**
 * Returns the part of the service's environment by which a package manager reaches its registry: proxies, certificates
 * and the address. Nothing else of it is passed on, since any variable may be a secret.
 */
export function registrySettings(host: HostEnvironment, manager: 'npm' | 'pip'): Record<string, string> {
  const own = manager === 'npm' ? NPM : PIP;
  return Object.fromEntries(
    Object.entries(host.variables).filter(
      (pair): pair is [string, string] =>
        pair[1] !== undefined && (NETWORK.has(pair[0]) || own.test(pair[0])),
    ),
  );
}

/** Returns the paths of this host among settings: certificates, and folders of archives. */
export function pathsAmong(settings: Readonly<Record<string, string>>): string[] {
  return Object.values(settings)
    .flatMap((value) => value.split(/\s+/))
    .map((value) => value.replace(/^file:\/\//, ''))
    .flatMap((value) => (value.includes('://') ? [] : value.split(':')))
    .filter(isAbsolute);
}

/**
 * Returns an environment made from nothing: a PATH of system folders, a home of its own, and configuration files that
 * do not exist, so that no `.npmrc` or `pip.conf` of the operator is read.
 */
export function privateEnvironment(command: string, home: string, cache: string): Record<string, string> {
  return {
    PATH: childPath(command).join(':'),
    HOME: home,
    TMPDIR: home,
    LANG: 'C.UTF-8',
    npm_config_cache: cache,
    npm_config_userconfig: join(home, 'user.npmrc'),
    npm_config_globalconfig: join(home, 'global.npmrc'),
    PIP_CONFIG_FILE: '/dev/null',
    PIP_CACHE_DIR: cache,
  };
}
