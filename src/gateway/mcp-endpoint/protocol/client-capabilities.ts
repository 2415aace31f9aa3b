import { isJsonObject } from '../../../platform/json/exact-number.js';

type Loose = Record<string, unknown>;

const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** Returns what the client of a request of 2026-07-28 declares. @param meta `_meta` of the request */
export function capabilitiesIn(meta: unknown): Loose {
  const capabilities = isJsonObject(meta) ? meta[CLIENT_CAPABILITIES] : undefined;
  return isJsonObject(capabilities) ? capabilities : {};
}

/** Returns whether a client answers forms of a server. A declaration without modes means forms, in both eras. */
export function declaresForms({ elicitation }: Loose): boolean {
  return (
    isJsonObject(elicitation) && (isJsonObject(elicitation.form) || Object.keys(elicitation).length === 0)
  );
}
