import type { GateResponse } from '../../../../src/work/gates/gate.response.js';
import { createdBy, type Issue } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import type { Service } from '../../../support/service.js';
import type { Wire } from '../../../support/wire.js';

export type Gate = Wire<GateResponse>;

export const gatesOf = ({ id }: { id: string }) => `/api/projects/issues/${id}/gates`;
export const gatePath = ({ id }: { id: string }) => `/api/projects/gates/${id}`;

/** Asks a question that must be accepted. */
export const aQuestion = (caller: Caller, issue: { id: string }, fields: object = {}) =>
  createdBy<Gate>(caller, gatesOf(issue), { question: 'May I publish it?', ...fields });

export const answer = (caller: Caller, gate: { id: string }, body: object = { text: 'Yes.' }) =>
  caller.post<Gate>(`${gatePath(gate)}/answer`, body);

export const withdraw = (caller: Caller, gate: { id: string }) =>
  caller.post<Gate>(`${gatePath(gate)}/withdraw`);

export async function readIssue(caller: Caller, { id }: { id: string }): Promise<Issue> {
  return (await caller.get<Issue>(`/api/projects/issues/${id}`)).body;
}

export async function readGate(caller: Caller, gate: { id: string }): Promise<Gate> {
  return (await caller.get<Gate>(gatePath(gate))).body;
}

/** Makes a gate due, as if its time had passed. */
export async function makeDue(service: Service, { id }: { id: string }): Promise<void> {
  await service.sql(`UPDATE gates SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
}
