import { anIssue, type Project } from '../../support/builders.js';
import type { Answer } from '../../support/answer.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import type { Service } from '../../support/service.js';
import { answer, aQuestion } from '../work/gates/gate-requests.js';
import { runOut } from './heartbeat-requests.js';
import { take, type LeaseHolder } from './lease-setting.js';
import { grant, type Installed } from './mcp-setting.js';

/** An agent with a lease, which gets another one as soon as that has ended. */
export interface LeaseLane {
  service: Service;
  server: Installed;
  project: Project;
  agent: Caller;
  /** Another agent, for issues that are reassigned. */
  other: Caller;
  holder: LeaseHolder;
  /** The person who ends leases, at either of the processes. */
  person: Caller;
}

/** Returns after the commit that ended the lease. The result gets the next lease. */
type LeaseEnd = (lane: LeaseLane) => Promise<() => Promise<LeaseHolder>>;

/** Each way in which one lease ends. The halt is not here because it ends the calls of all leases. */
export const leaseEnds: Record<string, LeaseEnd> = {
  pause: async (lane) => {
    const path = `/api/projects/issues/${lane.holder.issueId}`;
    await done(lane.person.post(`${path}/pause`));
    return async () => {
      await done(lane.person.post(`${path}/resume`));
      return again(lane);
    };
  },
  reassignment: async (lane) => {
    await assign(lane, lane.other);
    return async () => {
      await assign(lane, lane.agent);
      return again(lane);
    };
  },
  'expiry and take-over': async (lane) => {
    await runOut(lane.service, lane.holder.issue);
    const next = await again(lane);
    return () => Promise.resolve(next);
  },
  'a disabled agent': async (lane) => {
    const path = `/api/agents/${lane.agent.id}`;
    await done(lane.person.put(path, { disabled: true }));
    return async () => {
      await done(lane.person.put(path, { disabled: false }));
      return lane.holder;
    };
  },
  deletion: async (lane) => {
    await done(lane.person.delete(`/api/projects/issues/${lane.holder.issueId}?confirm=true`));
    return () => takeNew(lane);
  },
  'a question': async (lane) => {
    const gate = await aQuestion(lane.agent, { id: lane.holder.issueId });
    return async () => {
      await done(answer(lane.person, gate));
      return again(lane);
    };
  },
  finish: async (lane) => {
    const { issueId, token } = lane.holder;
    await done(lane.agent.post(`/api/projects/issues/${issueId}/finish`, { token, status: 'Resolved' }));
    return () => takeNew(lane);
  },
  'a retired agent': async (lane) => {
    await done(lane.person.delete(`/api/agents/${lane.agent.id}`));
    return async () => {
      lane.agent = await grantedAgent(lane.service, lane.server);
      return takeNew(lane);
    };
  },
};

/** Makes an agent that may use the server, with a lease. */
export async function aLeaseLane(service: Service, server: Installed, project: Project): Promise<LeaseLane> {
  const lane = {
    ...{ service, server, project, person: service.owner, holder: null as unknown as LeaseHolder },
    ...{ agent: await grantedAgent(service, server), other: await asAgent(service) },
  };
  lane.holder = await takeNew(lane);
  return lane;
}

async function grantedAgent(service: Service, server: Installed): Promise<Caller> {
  const agent = await asAgent(service);
  await grant(service, server, agent);
  return agent;
}

const again = ({ agent, service, holder }: LeaseLane) => take(agent, service, holder.issue);

async function takeNew({ agent, service, project }: LeaseLane): Promise<LeaseHolder> {
  return take(agent, service, await anIssue(service.owner, project, { assignedAgentId: agent.id }));
}

const assign = ({ person, holder }: LeaseLane, agent: Caller) =>
  done(person.put(`/api/projects/issues/${holder.issueId}`, { assignedAgentId: agent.id }));

async function done(answered: Promise<Answer<unknown>>): Promise<void> {
  const { status, method, path, text } = await answered;
  if (status >= 300) throw new Error(`${method} ${path} gave ${status}: ${text}`);
}
