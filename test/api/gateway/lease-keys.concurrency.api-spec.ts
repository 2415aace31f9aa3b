import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { startService, type Service } from '../../support/service.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { runOut } from './heartbeat-requests.js';
import { take, type LeaseHolder } from './lease-setting.js';
import { grant, installed, type Installed } from './mcp-setting.js';
import { tryOut } from '../mcp/servers.js';
import { modern, type WireAnswer } from './wire-call.js';

/** Rounds of each way to end a lease. */
const ROUNDS = process.env['TEST_SIZE'] === 'full' ? 1_430 : 3;
const CALLERS = 4;

/** A round takes about a second; a loaded machine gets five. */
const LIMIT_MS = 60_000 + ROUNDS * 5_000;

const catalog = new LocalCatalog().stdio('call-log', ['call-log.mjs']);
let services: Service[];
let server: Installed;
let project: Project;
beforeAll(async () => {
  // One call at a time: the others wait in the queue, between their permission and their start.
  const settings = { CATALOG_DIRS: catalog.folder, MCP_CALLS_PER_PROCESS: '1' };
  const first = await startService({ settings });
  services = [first, await first.second()];
  server = await installed(first, 'call-log');
  project = await aProject(first.owner);
});
afterAll(async () => {
  await services?.[0]!.remove();
  catalog.remove();
});

type Round = LeaseHolder & { agent: Caller; other: Caller };

/** What ends a lease. Each returns the status of the response, which comes after the commit. */
const ends: Record<string, (round: Round) => Promise<number>> = {
  pause: ({ issueId }) => statusOf(owner().post(`/api/projects/issues/${issueId}/pause`)),
  reassign: ({ issueId, other }) =>
    statusOf(owner().put(`/api/projects/issues/${issueId}`, { assignedAgentId: other.id })),
  'expiry and take-over': async ({ agent, issue }) => {
    await runOut(services[0]!, issue);
    return statusOf(agent.post('/api/agents/me/heartbeat', {}));
  },
  halt: () => statusOf(owner().put('/api/agents/halt', { halted: true })),
  disable: ({ agent }) => statusOf(owner().put(`/api/agents/${agent.id}`, { disabled: true })),
  'delete the issue': ({ issueId }) =>
    statusOf(owner().delete(`/api/projects/issues/${issueId}?confirm=true`)),
  'retire the agent': ({ agent }) => statusOf(owner().delete(`/api/agents/${agent.id}`)),
};

const owner = () => services[0]!.owner;
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

describe.each(Object.entries(ends))('calls on their way at the end of a lease: %s', (_, end) => {
  it(
    `none begins afterwards, in ${ROUNDS} rounds with two processes`,
    async () => {
      let reached = 0;
      for (let n = 0; n < ROUNDS; n += 1) {
        const round = await aRound();
        const callers = services.flatMap((service) =>
          Array.from({ length: CALLERS }, () => callUntilRefused(round.caller.at(service))),
        );
        await Promise.race(callers.map(({ afterFirst }) => afterFirst));
        expect(await end(round)).toBeLessThan(300);
        // An admin, whom no lease and no halt concerns, sends a mark. A server gets its calls in order. What reaches it after this mark was sent after the end.
        await Promise.all(
          services.map((service) => tryOut(service.owner, server, 'work', { round: 'mark', ms: 0 })),
        );
        await Promise.all(callers.map(({ refused }) => refused));
        await owner().put('/api/agents/halt', { halted: false });
        for (const service of services) {
          const began = await log(service);
          expect(began.slice(began.indexOf('mark'))).toEqual(['mark']);
          reached += began.length - 1;
        }
      }
      expect(reached).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );
});

async function aRound(): Promise<Round> {
  const [first] = services;
  const [agent, other] = [await asAgent(first!), await asAgent(first!)];
  await grant(first!, server, agent);
  const issue = await anIssue(first!.owner, project, { assignedAgentId: agent.id });
  return { agent, other, ...(await take(agent, first!, issue)) };
}

/** Calls again and again until a call is refused. */
function callUntilRefused(caller: Caller): { afterFirst: Promise<void>; refused: Promise<void> } {
  let begun!: () => void;
  const afterFirst = new Promise<void>((resolve) => (begun = resolve));
  const refused = (async () => {
    while (!isRefused(await call(caller))) begun();
    begun();
  })();
  return { afterFirst, refused };
}

const call = (caller: Caller) =>
  modern(caller, 'tools/call', { name: `${server.slug}__work`, arguments: { round: 'work', ms: 3 } });

function isRefused({ status, message }: WireAnswer): boolean {
  return (
    status !== 200 || (message.result as unknown as { isError?: boolean } | undefined)?.isError !== undefined
  );
}

/** The calls that have reached the server, in the process that this service runs, since the last look. */
async function log(service: Service): Promise<string[]> {
  return (JSON.parse(await tryOut(service.owner, server, 'log')) as { began: string[] }).began;
}
