import { anIssue, aProject, type Issue } from '../../support/builders.js';
import { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import type { Service } from '../../support/service.js';
import type { WireAnswer } from './wire-call.js';
import { sendHeartbeat, type Held } from './heartbeat-requests.js';

/** A lease with a caller that has its key. */
export interface LeaseHolder extends Held {
  issue: Issue;
  /** Calls with the lease key. */
  caller: Caller;
  connect: { url: string; headers: Record<string, string> };
}

/** Creates an issue of the agent and takes it, as a runner does. */
export async function leaseOf(agent: Caller, service: Service, fields: object = {}): Promise<LeaseHolder> {
  const project = await aProject(service.owner);
  const issue = await anIssue(service.owner, project, { assignedAgentId: agent.id, ...fields });
  return take(agent, service, issue);
}

/** Takes the only issue that the agent can get. */
export async function take(agent: Caller, service: Service, issue: Issue): Promise<LeaseHolder> {
  const { pickedUp } = await sendHeartbeat(agent, { capacity: 1 });
  const [picked] = pickedUp;
  if (picked?.issue.id !== issue.id) throw new Error(`${issue.key} was not handed out`);
  const { lease, connect } = picked;
  const caller = callerWith(service, connect);
  return { issueId: issue.id, token: lease.token, issue, caller, connect };
}

/** A caller with the key of `connect.headers`. */
export function callerWith(service: Service, { headers }: { headers: Record<string, string> }): Caller {
  return new Caller(service, { key: headers.Authorization!.replace('Bearer ', '') });
}

/** An agent, and one of its leases. */
export async function aLeaseHolder(
  service: Service,
  fields: Record<string, unknown> = {},
): Promise<LeaseHolder & { agent: Caller }> {
  const agent = await asAgent(service, fields);
  return { agent, ...(await leaseOf(agent, service)) };
}

/** The result of a tool call that is a refusal with a code; undefined for any other. */
export const codeIn = ({ message }: WireAnswer): string | undefined =>
  (message.result as unknown as { structuredContent?: { code?: string } } | undefined)?.structuredContent
    ?.code;
