import { dataOf } from '../api/client.mjs';

/**
 * Installs an entry, verifies it and removes it again. `surprise` says what was not as it should be, or is null.
 * A registry can be slow: what came is in npm's cache, and a second try goes on from there.
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

/** What is given is made up, so a server that was asked for its account is right to refuse. */
function surpriseIn(verified, tools) {
  const { status, phase, credentials, details, stderrTail } = verified;
  const refused = phase === 'done' && credentials === 'refused';
  if (status !== 'ok' && !refused)
    return `failed in phase ${phase}: ${details} ${(stderrTail ?? '').slice(-300)}`.trim();
  const listed = toolsOf(verified);
  return listed === tools ? null : `lists ${listed} tools instead of ${tools}`;
}

/** A verification that ends with a refusal names no tools, but how many there were. */
function toolsOf({ capabilities, details }) {
  return capabilities?.length ?? Number(/listed (\d+) tools?/.exec(details)?.[1]);
}
