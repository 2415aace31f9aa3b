import { createHash } from 'node:crypto';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { ImportError } from '../../dist/src/mcp/catalog/server-json-and-import-source.js';
import { boundedBody } from '../../dist/src/platform/http/outbound-http.js';

const PATIENCE_MS = 30_000;
const MOST_JSON_BYTES = 8 * 1024 * 1024;
const MOST_ARCHIVE_BYTES = 512 * 1024 * 1024;

/**
 * Gets JSON from an address that the operator configured, through the proxies of the environment. Redirects are not
 * followed: the address of a registry is its last one.
 */
export async function fetchJson(url, accept = 'application/json') {
  try {
    return JSON.parse(await new Response(await body(url, accept, MOST_JSON_BYTES)).text());
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${url} did not answer with JSON of at most 8 MiB (${error.message}).`);
  }
}

/** Returns the SHA-256 of a file, which is read and not kept. */
export async function fetchSha256(url) {
  const hash = createHash('sha256');
  for await (const chunk of await body(url, '*/*', MOST_ARCHIVE_BYTES)) hash.update(chunk);
  return hash.digest('hex');
}

async function body(url, accept, maxBytes) {
  const response = await fetchOnce(url, accept);
  if (response.status === 404)
    throw new ImportError(`${url} does not exist (404). Check the name and the version.`);
  if (!response.ok) throw new ImportError(`${url} answered with ${response.status}.`);
  return boundedBody(response.body, maxBytes, false, () => undefined);
}

async function fetchOnce(url, accept) {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const dispatcher = new EnvHttpProxyAgent();
    return await fetch(url, { headers: { accept }, redirect: 'error', signal, dispatcher });
  } catch (error) {
    const reason = error.cause?.code ?? error.cause?.message ?? error.message;
    throw new ImportError(`${url} cannot be reached (${reason}). Check the address and the way to it.`);
  }
}
