import { isLoopback } from './address-forms.js';
import type { SettingValues } from './settings.schema.js';

const EVERY_ADDRESS = ['0.0.0.0', '::'];

/** Returns one sentence for each way in which HOST makes the service unsafe or hard to reach. */
export function addressWarnings(values: SettingValues): string[] {
  const { HOST: host, PUBLIC_URL: publicUrl, TLS_CERT_FILE: tls, TRUSTED_PROXIES: proxies } = values;
  const warnings: string[] = [];
  if (!isLoopback(host) && !tls && proxies.length === 0)
    warnings.push(
      `HOST=${host} accepts plain HTTP from other hosts, where keys and passwords travel unencrypted. Set TLS_CERT_FILE and TLS_KEY_FILE, or TRUSTED_PROXIES when a proxy in front provides HTTPS.`,
    );
  if (EVERY_ADDRESS.includes(host) && !publicUrl)
    warnings.push(
      `PUBLIC_URL is not set while HOST=${host} listens on every address, so agents receive a loopback address to connect to. Set PUBLIC_URL to the address under which clients reach the service.`,
    );
  return warnings;
}
