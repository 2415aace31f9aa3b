import { isSpecType, type Client, type PriorDiscovery } from '@modelcontextprotocol/client';
import type { EraVerdict } from '../server-description.js';

/** A verdict is valid for a day. Nothing else would detect an upgrade, because an upgraded server accepts the old handshake. */
function isFresh(verdict: EraVerdict, now = Date.now()): boolean {
  const age = now - Date.parse(verdict.at);
  return age >= 0 && age < MAX_AGE_MS;
}

/** The verdict in the SDK's form, or undefined where the server has to be probed. */
export function asPrior(verdict: EraVerdict | undefined): PriorDiscovery | undefined {
  if (!verdict || !isFresh(verdict)) return undefined;
  if (verdict.era === 'legacy') return { kind: 'legacy' };
  const { discover } = verdict;
  return isSpecType.DiscoverResult(discover) ? { kind: 'modern', discover } : undefined;
}

/** Returns the verdict that the client was given, or the one that it has just found, dated now. */
export function verdictOf(client: Client, given: EraVerdict | undefined): EraVerdict {
  if (given && asPrior(given)) return given;
  const discover = client.getDiscoverResult();
  const at = new Date().toISOString();
  return discover && client.getProtocolEra() === 'modern'
    ? { at, era: 'modern', discover: isShort(discover) ? { ...discover } : {} }
    : { at, era: 'legacy' };
}

/** It is read with every description of the server. One that is not kept costs a probe at each start. */
function isShort(discover: object): boolean {
  return Buffer.byteLength(JSON.stringify(discover)) <= LONGEST_DISCOVER_BYTES;
}

const LONGEST_DISCOVER_BYTES = 65_536;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
