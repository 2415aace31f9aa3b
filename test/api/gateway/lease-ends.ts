import { aLink, anIssue, type Project } from '../../support/builders.js';
import type { Answer } from '../../support/answer.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import type { Service } from '../../support/service.js';
import { answer, aQuestion } from '../work/gates/gate-requests.js';
import { putHeld, runOut } from './heartbeat-requests.js';
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
  /** The person who ends leases. */
  person: Caller;
}

/** Returns after the commit that ended the lease. The result gets the next lease. */
type LeaseEnd = (lane: LeaseLane) => Promise<() => Promise<LeaseHolder>>;

/** Each way in which one lease ends. What ends the calls of all leases at once, such as the halt, is not here. */
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
  release: async (lane) => {
    const { issueId, token } = lane.holder;
    await done(lane.agent.post(`/api/projects/issues/${issueId}/release`, { token }));
    return async () => {
      // What a person writes ends the wait after a release.
      await done(lane.person.post(`/api/projects/issues/${issueId}/comments`, { content: 'Go on.' }));
      return again(lane);
    };
  },
  'a status of the agent': async (lane) => {
    await done(putHeld(lane.agent, lane.holder, { status: 'PendingReview' }));
    return () => takeNew(lane);
  },
  closing: async (lane) => {
    await done(lane.person.put(`/api/projects/issues/${lane.holder.issueId}`, { status: 'Closed' }));
    return () => takeNew(lane);
  },
  'a removal from the project': async (lane) => {
    await setRole(lane, [lane.agent], null);
    return async () => {
      await setRole(lane, [lane.agent], 'Editor');
      return lane.holder;
    };
  },
  'a new blocker': async (lane) => {
    await aLink(lane.person, await anIssue(lane.person, lane.project), lane.holder.issue);
    return () => takeNew(lane);
  },
  'a retired agent': async (lane) => {
    await done(lane.person.delete(`/api/agents/${lane.agent.id}`));
    return async () => {
      lane.agent = await grantedAgent(lane);
      return takeNew(lane);
    };
  },
};

/** Makes an agent that may use the server, with a lease of an issue in a members-only project. */
export async function aLeaseLane(service: Service, server: Installed, project: Project): Promise<LeaseLane> {
  const place = { service, server, project, person: service.owner };
  const [agent, other] = [await grantedAgent(place), await asAgent(service)];
  await setRole(place, [other], 'Editor');
  return { ...place, agent, other, holder: await takeNew({ ...place, agent }) };
}

type Place = Pick<LeaseLane, 'service' | 'server' | 'project' | 'person'>;

async function grantedAgent(place: Place): Promise<Caller> {
  const agent = await asAgent(place.service);
  await grant(place.service, place.server, agent);
  await setRole(place, [agent], 'Editor');
  return agent;
}

/** Makes agents members of the project, or ends that with the role null. */
export const setRole = ({ person, project }: Place, agents: Caller[], role: 'Editor' | null) =>
  done(
    person.put(`/api/projects/${project.id}/members`, {
      entries: agents.map(({ id }) => ({ agentId: id, role })),
    }),
  );

const again = ({ agent, service, holder }: LeaseLane) => take(agent, service, holder.issue);

async function takeNew({ agent, service, project }: Place & { agent: Caller }): Promise<LeaseHolder> {
  return take(agent, service, await anIssue(service.owner, project, { assignedAgentId: agent.id }));
}

const assign = ({ person, holder }: LeaseLane, agent: Caller) =>
  done(person.put(`/api/projects/issues/${holder.issueId}`, { assignedAgentId: agent.id }));

async function done(answered: Promise<Answer<unknown>>): Promise<void> {
  const { status, method, path, text } = await answered;
  if (status >= 300) throw new Error(`${method} ${path} gave ${status}: ${text}`);
}
