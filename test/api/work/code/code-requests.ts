import type { CodeResponse } from '../../../../src/work/code/code.dto.js';
import { createdBy } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import type { Wire } from '../../../support/wire.js';
import { type Gate, gatesOf } from '../gates/gate-requests.js';

export type Code = Wire<CodeResponse>;

export const codeOf = ({ id }: { id: string }) => `/api/projects/issues/${id}/code`;
export const pullUrl = (number: number) => `https://github.com/codertocat/hello-world/pull/${number}`;

export const listCode = async (caller: Caller, issue: { id: string }): Promise<Code[]> =>
  (await caller.get<Code[]>(codeOf(issue))).body;

/** Links a branch, commit or pull request; it must be accepted. */
export const linkCode = (caller: Caller, issue: { id: string }, url: string) =>
  createdBy<Code>(caller, codeOf(issue), { url });

/** Opens a gate of kind checks; it must be accepted. */
export const awaitChecks = (caller: Caller, issue: { id: string }, fields: object = {}) =>
  createdBy<Gate>(caller, gatesOf(issue), { kind: 'checks', ...fields });
