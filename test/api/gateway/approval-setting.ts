import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import type { Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import type { Gate } from '../work/gates/gate-requests.js';
import { leaseOf, type LeaseHolder } from './lease-setting.js';
import type { Installed } from './mcp-setting.js';
import { modern, type WireAnswer } from './wire-call.js';

/** An agent with a lease, whose grant asks for an approval. */
export type Asker = LeaseHolder & { agent: Caller };

/** What the result of a tool call says. */
export interface CallResult {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: { code?: string; gateId?: string; reason?: string };
}

export async function setAsk(
  service: Service,
  server: Installed,
  agent: { id: string },
  fields: object = { ask: 'writes' },
): Promise<void> {
  const entries = [{ agentId: agent.id, granted: true, ...fields }];
  const answer = await service.owner.put(`/api/mcp/installed/${server.id}/access`, { entries });
  if (answer.status !== 200) throw new Error(answer.text);
}

/** An agent with a lease that has to ask before it calls the server. */
export async function anAsker(service: Service, server: Installed, fields?: object): Promise<Asker> {
  const agent = await asAgent(service);
  await setAsk(service, server, agent, fields);
  return { agent, ...(await leaseOf(agent, service)) };
}

/** Calls a tool of the server. The promise settles when the caller has its response. */
export const callOf = (caller: Caller, server: Installed, tool: string, args: object = {}) =>
  modern(caller, 'tools/call', { name: `${server.slug}__${tool}`, arguments: args });

export const resultOf = ({ message }: WireAnswer): CallResult => message.result as unknown as CallResult;
export const codeOf = (answer: WireAnswer) => resultOf(answer).structuredContent?.code;
export const textOf = (answer: WireAnswer) => resultOf(answer).content[0]!.text;

/** Waits until the agent has exactly one open gate, and returns it as the Owner sees it. */
export function openGate(service: Service, agent: { id: string }): Promise<Gate> {
  return until(async () => {
    const path = `/api/projects/gates?state=open&agentId=${agent.id}`;
    const [gate] = (await service.owner.get<Gate[]>(path)).body;
    return gate ?? null;
  });
}

/** Returns the gate once the service has stored how its call ended. */
export function executedGate(service: Service, { id }: { id: string }): Promise<Gate> {
  return until(async () => {
    const gate = (await service.owner.get<Gate>(`/api/projects/gates/${id}`)).body;
    return gate.outcome === null ? null : gate;
  });
}
