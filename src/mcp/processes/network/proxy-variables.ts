import { PROXY_PORT, type NetworkRule } from './network-rule.js';

const HTTP = `http://127.0.0.1:${PROXY_PORT}`;
const SOCKS = `socks5h://127.0.0.1:${PROXY_PORT}`;
const NOT_PROXIED = 'localhost,127.0.0.1,::1';

/**
 * Returns the variables that point a server that may reach any host to the proxy in its namespace, for ports that are
 * not accepted there directly. A server with named hosts gets none: it reaches them without a proxy, and many clients
 * handle proxies badly. Node reads the variables from 22.21 and 24.5 on, with NODE_USE_ENV_PROXY.
 */
export function proxyVariables(rule: NetworkRule | undefined): Record<string, string> {
  if (rule?.kind !== 'any') return {};
  const variables = { HTTP_PROXY: HTTP, HTTPS_PROXY: HTTP, ALL_PROXY: SOCKS, NO_PROXY: NOT_PROXIED };
  const lowerCase = Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...variables, ...Object.fromEntries(lowerCase), NODE_USE_ENV_PROXY: '1' };
}
