import { expect } from '@jest/globals';
import type { HeartbeatResponse } from '../../../src/gateway/heartbeat/dto/heartbeat.response.js';
import type { TurnResponse } from '../../../src/gateway/heartbeat/dto/turn.response.js';
import type { Issue } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import type { Service } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';

export type Beat = Wire<HeartbeatResponse>;
export type Turn = Wire<TurnResponse>;

/** A lease as a worker holds it. */
export interface Held {
  issueId: string;
  token: number;
}

/** A heartbeat that succeeds. */
export async function beat(agent: Caller, body: object = {}): Promise<Beat> {
  const answer = await agent.post<Beat>('/api/agents/me/heartbeat', body);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.body;
}

/** A turn that succeeds. */
export async function turn(agent: Caller, body: object = {}): Promise<Turn> {
  const answer = await agent.post<Turn>('/api/agents/me/turns', body);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.body;
}

/** The leases that a heartbeat gave, as the next one names them. */
export const leasesOf = ({ pickedUp }: Beat): Held[] =>
  pickedUp.map(({ issue, lease }) => ({ issueId: issue.id, token: lease.token }));

/** Picks up the one issue that there is for the agent. */
export async function pickUp(agent: Caller, issue: { id: string }): Promise<Held> {
  const leases = leasesOf(await beat(agent));
  expect(leases).toMatchObject([{ issueId: issue.id }]);
  return leases[0]!;
}

/** An agent's own PUT of an issue that it holds. */
export const putHeld = (agent: Caller, { issueId, token }: Held, fields: Record<string, unknown>) =>
  agent.put<Issue>(`/api/projects/issues/${issueId}`, fields, { headers: { 'lease-token': String(token) } });

/** Lets the lease of an issue run out, as if its time had passed. */
export async function runOut(service: Service, issue: { id: string }): Promise<void> {
  await service.sql(`UPDATE issue_leases SET expires_at = now() - interval '1 second' WHERE issue_id = $1`, [
    issue.id,
  ]);
}
