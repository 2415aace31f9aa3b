import { expect } from '@jest/globals';
import type { HeartbeatResponse, TurnResponse } from '../../../src/gateway/heartbeat/heartbeat.response.js';
import type { Issue } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import type { Service } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';

export type Heartbeat = Wire<HeartbeatResponse>;
export type Turn = Wire<TurnResponse>;

/** A lease that a worker holds. */
export interface Held {
  issueId: string;
  token: number;
}

/** Sends a heartbeat that must succeed. */
export async function sendHeartbeat(agent: Caller, body: object = {}): Promise<Heartbeat> {
  const answer = await agent.post<Heartbeat>('/api/agents/me/heartbeat', body);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.body;
}

/** Takes a turn that must succeed. */
export async function takeTurn(agent: Caller, body: object = {}): Promise<Turn> {
  const answer = await agent.post<Turn>('/api/agents/me/turns', body);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.body;
}

/** Returns the leases that a heartbeat handed out, as the next heartbeat names them. */
export const leasesOf = ({ pickedUp }: Heartbeat): Held[] =>
  pickedUp.map(({ issue, lease }) => ({ issueId: issue.id, token: lease.token }));

/** Picks up the only issue that the agent can get. */
export async function pickUp(agent: Caller, issue: { id: string }): Promise<Held> {
  const leases = leasesOf(await sendHeartbeat(agent));
  expect(leases).toMatchObject([{ issueId: issue.id }]);
  return leases[0]!;
}

/** Changes an issue as the agent that holds its lease. */
export const putHeld = (agent: Caller, { issueId, token }: Held, fields: Record<string, unknown>) =>
  agent.put<Issue>(`/api/projects/issues/${issueId}`, fields, { headers: { 'lease-token': String(token) } });

/** Makes the lease of an issue run out, as if its time had passed. */
export async function runOut(service: Service, issue: { id: string }): Promise<void> {
  await service.sql(`UPDATE issue_leases SET expires_at = now() - interval '1 second' WHERE issue_id = $1`, [
    issue.id,
  ]);
}

const WAIT_SECONDS = 25;

/** Sends a heartbeat that waits, and says whether it is still waiting. */
export function waiting(agent: Caller, body: object = {}, seconds = WAIT_SECONDS) {
  const sent = { isOpen: true, response: Promise.resolve() as Promise<unknown> as Promise<Heartbeat> };
  sent.response = agent
    .post<Heartbeat>(`/api/agents/me/heartbeat?wait=${seconds}`, { worker: 'w', ...body })
    .then(({ status, body: heartbeat, text }) => {
      sent.isOpen = false;
      if (status !== 200) throw new Error(text);
      return heartbeat;
    });
  return sent;
}
