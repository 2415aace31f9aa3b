import { createdBy, someName } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import type { Service } from '../../support/service.js';

export interface Installed {
  id: string;
  name: string;
  slug: string;
}

/** Installs an entry of the test's own catalogue. A verification lists and approves its tools. */
export async function installed(
  service: Service,
  catalogId: string,
  fields: Record<string, unknown> = {},
): Promise<Installed> {
  const server = await createdBy<Installed>(service.owner, '/api/mcp/installed', {
    catalogId,
    name: someName(catalogId),
    ...fields,
  });
  const verified = await service.owner.post(`/api/mcp/installed/${server.id}/verify`);
  if (String(verified.body.status) !== 'ok')
    throw new Error(`${catalogId} could not be verified: ${verified.text}`);
  return server;
}

export async function grant(
  service: Service,
  server: Installed,
  agent: Caller,
  tools?: string[],
): Promise<void> {
  await setAccess(service, server, { agentId: agent.id, granted: true, ...(tools && { tools }) });
}

export async function revoke(service: Service, server: Installed, agent: Caller): Promise<void> {
  await setAccess(service, server, { agentId: agent.id, granted: false });
}

async function setAccess(service: Service, server: Installed, entry: Record<string, unknown>): Promise<void> {
  const answer = await service.owner.put(`/api/mcp/installed/${server.id}/access`, { entries: [entry] });
  if (answer.status !== 200) throw new Error(`Access could not be changed: ${answer.text}`);
}
