import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { contentsOf } from '../../mcp/server-tools/call-arguments-outcomes-reasons.js';
import { canonicalJson } from '../../platform/json/exact-json.js';
import type { NewGate } from '../../work/gates/gate-opening.service.js';
import { SealedArgumentsService } from '../../work/gates/sealed-arguments.service.js';
import { ApprovalRequestsService } from './approval-requests-and-errors.service.js';
import { paramsOf, requestedCallOf } from '../tool-calls/admitted-and-failed-calls.service.js';

type Services = ConstructorParameters<typeof ApprovalRequestsService>;
type SealedServices = ConstructorParameters<typeof SealedArgumentsService>;

const CASES = 2_000;

/** Returns the gate that the service opens for a call with these arguments. */
async function gateOf(args: ReturnType<typeof requestedCallOf>['args']): Promise<NewGate> {
  let opened!: NewGate;
  const given = {
    opening: { open: async (gate: NewGate) => ((opened = gate), { id: 'gate' }) },
    approvals: {
      add: async () => true,
      approverAndHints: async () => ({ annotations: {}, approverRole: 'Editor' }),
    },
    descriptions: { instance: async () => undefined },
    secrets: { maskOf: (_: string, text: string) => text },
    transactions: { run: (work: () => unknown) => work() },
  };
  const { opening, approvals, descriptions, secrets, transactions } = given;
  const services = [opening, {}, {}, approvals, descriptions, secrets, transactions, {}];
  const requests = new ApprovalRequestsService(
    ...([...services.slice(0, 7), { approvalWaitSeconds: 1 }] as unknown as Services),
  );
  const agent = { type: 'agent', id: 'agent', name: 'Agent', lease: null };
  const server = { serverId: 'server', serverName: 'Server', slug: 'server', credentialSetId: 'set' };
  await requests.open({ agent, server, tool: 'write', args, calledFor: null } as unknown as Parameters<
    typeof requests.open
  >[0]);
  return opened;
}

/** Returns what an execution after the approval sends. */
async function unsealed({ arguments: args }: NewGate): Promise<unknown> {
  let stored = '';
  const repository = {
    insert: async ({ sealed }: { sealed: string }) => void (stored = sealed),
    find: async () => [{ gateId: 'gate', sealed: stored }],
  };
  const encryption = { seal: (text: string) => text, open: (text: string) => text };
  const sealed = new SealedArgumentsService(...([repository, encryption] as unknown as SealedServices));
  await sealed.put('gate', args!);
  return sealed.exact('gate');
}

const isArguments = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));

describe('the arguments of a call that a person approves', () => {
  it('are shown, hashed, sealed, recorded and sent as one value, or refused before anything is shown', async () => {
    const sent = fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), fc.constant(undefined));
    const property = fc.asyncProperty(sent, async (given) => {
      if (!isArguments(given)) {
        expect(() => requestedCallOf({ name: 'a__write', arguments: given })).toThrow('must be an object');
        return;
      }
      const call = requestedCallOf({ name: 'a__write', arguments: given, _meta: {} });
      const text = JSON.stringify(paramsOf(call, 'write').arguments);
      const gate = await gateOf(call.args);
      const hash = createHash('sha256')
        .update(canonicalJson(JSON.parse(text)))
        .digest('hex');
      expect(gate.request.argumentsHash).toBe(hash);
      expect(contentsOf(call.args, undefined).argumentsHash).toBe(hash);
      expect(JSON.stringify(await unsealed(gate))).toBe(text);
      expect(Object.keys(gate.arguments!.shown)).toHaveLength(Object.keys(JSON.parse(text)).length);
    });
    await fc.assert(property, { numRuns: CASES });
  });
});
