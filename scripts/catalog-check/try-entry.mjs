import { dataOf } from '../../client/client.mjs';

/**
 * Installs an entry, verifies it and removes it again. `surprise` describes an unexpected result, or is null. A registry
 * can be slow: what was downloaded is in npm's cache, and a second attempt continues from there.
 */
export async function tryEntry(api, entry, { tools, envValues }) {
  const begun = performance.now();
  try {
    const install = () =>
      dataOf(api.POST('/api/mcp/installed', { body: { catalogId: entry.id, envValues } }));
    const server = await install().catch(install);
    const params = { path: { id: server.id } };
    const installedMs = performance.now() - begun;
    const verified = await dataOf(api.POST('/api/mcp/installed/{id}/verify', { params }));
    await api.DELETE('/api/mcp/installed/{id}', { params });
    return { entry, installedMs, verified, listed: toolsOf(verified), surprise: surpriseIn(verified, tools) };
  } catch (fault) {
    return { entry, installedMs: performance.now() - begun, verified: null, surprise: fault.message };
  }
}

/** The values are invented, so a server that checks its account is right to refuse them. */
function surpriseIn(verified, tools) {
  const { status, phase, credentials, details, stderrTail } = verified;
  const refused = phase === 'done' && credentials === 'refused';
  if (status !== 'ok' && !refused)
    return `failed in phase ${phase}: ${details} ${(stderrTail ?? '').slice(-300)}`.trim();
  const listed = toolsOf(verified);
  return listed === tools ? null : `lists ${listed} tools instead of ${tools}`;
}

/** A verification that ends with a refusal reports the number of tools, not their names. */
function toolsOf({ capabilities, details }) {
  return capabilities?.length ?? Number(/listed (\d+) tools?/.exec(details)?.[1]);
}
