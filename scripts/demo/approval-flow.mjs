// @ts-check
import { setTimeout as pause } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { dataOf } from '../../client/client.mjs';
import { must, say } from './say.mjs';

/** @typedef {import('./service.mjs').DemoService} DemoService */
/** @typedef {import('../../client/client.mjs').Api} Api */
/** @typedef {import('../../client/schema.js').components['schemas']['NewAgentResponse']} Agent */
/** @typedef {import('../../client/schema.js').components['schemas']['InstalledServerResponse']} Server */
/** @typedef {{ id: string, key: string }} Issue */
/** @typedef {{ token: number, connect: { url: string, headers: Record<string, string> } }} Lease */

/** A decision of a person arrives within this time, in tenths of a second. */
const PATIENCE = 200;

/**
 * Flow 4: a person approves a call, a budget stops the work, and a person extends it.
 * @param {DemoService} service @param {Server | null} server null where no MCP server was installed
 */
export async function approvalFlow(service, server) {
  say.flow('Flow 4: what only a person can decide');
  const { api } = service;
  const agent = await dataOf(api.POST('/api/agents', { body: { name: 'Careful agent' } }));
  const key = `PEOPLE${randomBytes(2).toString('hex').toUpperCase()}`;
  const project = await dataOf(api.POST('/api/projects', { body: { key, name: 'Decisions' } }));
  const issue = await dataOf(
    api.POST('/api/projects/{projectId}/issues', {
      params: { path: { projectId: project.id } },
      body: { title: 'Announce the release', assignedAgentId: agent.id },
    }),
  );
  const worker = service.as(agent.key);
  const lease = await pickUp(worker, issue);
  if (server) await approveCall(api, agent, server, lease, project.id);
  const next = await extendBudget(api, worker, issue, lease, project.id);
  await finish(worker, issue, next);
  must((await attention(api, project.id)).length === 0, 'something still needs a person');
  say.step('GET /api/attention', 'nothing needs a person any more');
}

/**
 * @param {Api} api @param {Agent} agent @param {Server} server @param {Lease} lease @param {string} projectId
 */
async function approveCall(api, agent, server, lease, projectId) {
  await dataOf(
    api.PUT('/api/mcp/installed/{id}/access', {
      params: { path: { id: server.id } },
      body: { entries: [{ agentId: agent.id, granted: true, ask: ['echo'] }] },
    }),
  );
  say.step('PUT …/access {ask: ["echo"]}', `«${agent.name}» asks a person before each call of echo`);
  const name = `${server.slug}__echo`;
  const calling = callTool(lease, name, { message: 'Version 2 is out' });
  const gate = await needsPerson(api, projectId, 'approval');
  say.step(`the agent calls ${name}`, `it waits, and GET /api/attention says: ${gate.title}`);
  await answer(api, gate.id, { decision: 'approve' });
  const text = await calling;
  must(text.includes('Version 2 is out'), `the approved call returned: ${text}`);
  say.step(
    'POST /api/projects/gates/{gateId}/answer {decision: "approve"}',
    `the agent goes on with: ${text}`,
  );
}

/**
 * @param {Api} api @param {Api} worker @param {Issue} issue @param {Lease} lease @param {string} projectId
 * @returns {Promise<Lease>}
 */
async function extendBudget(api, worker, issue, { token }, projectId) {
  await dataOf(
    api.PUT('/api/projects/issues/{issueId}/budget', {
      params: { path: { issueId: issue.id } },
      body: { turns: 1, period: 'total' },
    }),
  );
  const turn = () =>
    dataOf(
      worker.POST('/api/agents/{agentId}/turns', {
        params: { path: { agentId: 'me' } },
        body: { issueId: issue.id, token },
      }),
    );
  must((await turn()).proceed, 'the first turn was refused');
  const second = await turn();
  must(!second.proceed && second.reason === 'budget', `the second turn returned ${second.reason}`);
  const gate = await needsPerson(api, projectId, 'budget');
  say.step('PUT …/budget {turns: 1} of the issue, then two turns', `the second is refused: ${gate.title}`);
  await answer(api, gate.id, { decision: 'extend', by: 5 });
  const next = await pickUp(worker, issue);
  say.step('POST …/answer {decision: "extend", by: 5}', `the next heartbeat picks ${issue.key} up again`);
  return next;
}

/** @param {Api} worker @param {Issue} issue @param {Lease} lease */
function finish(worker, issue, { token }) {
  return dataOf(
    worker.POST('/api/projects/issues/{issueId}/finish', {
      params: { path: { issueId: issue.id } },
      body: { token, status: 'Resolved' },
    }),
  );
}

/** @param {Api} worker @param {Issue} issue @returns {Promise<Lease>} */
async function pickUp(worker, issue) {
  const params = { path: { agentId: 'me' } };
  const { pickedUp } = await dataOf(worker.POST('/api/agents/{agentId}/heartbeat', { params, body: {} }));
  const [picked] = pickedUp;
  must(picked?.issue.id === issue.id, `${issue.key} was not handed out`);
  return { token: picked.lease.token, connect: picked.connect };
}

/** @param {Api} api @param {string} projectId */
async function attention(api, projectId) {
  return (await dataOf(api.GET('/api/attention', { params: { query: { projectId } } }))).items;
}

/**
 * Waits until a gate of this kind needs a person.
 * @param {Api} api @param {string} projectId @param {'approval' | 'budget'} kind
 */
async function needsPerson(api, projectId, kind) {
  for (let tries = 0; tries < PATIENCE; tries += 1) {
    const gate = (await attention(api, projectId)).map((item) => item.gate).find((one) => one?.kind === kind);
    if (gate)
      return dataOf(api.GET('/api/projects/gates/{gateId}', { params: { path: { gateId: gate.id } } }));
    await pause(100);
  }
  throw new Error(`no gate of kind ${kind} was opened`);
}

/**
 * @param {Api} api @param {string} gateId
 * @param {import('../../client/schema.js').components['schemas']['AnswerGateRequest']} body
 */
function answer(api, gateId, body) {
  return dataOf(api.POST('/api/projects/gates/{gateId}/answer', { params: { path: { gateId } }, body }));
}

/**
 * Calls a tool with the key of the lease.
 * @param {Lease} lease @param {string} name @param {Record<string, unknown>} given
 */
async function callTool({ connect: { url, headers } }, name, given) {
  const client = new Client({ name: 'demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  try {
    const {
      content: [first],
    } = await client.callTool({ name, arguments: given });
    return first?.type === 'text' ? first.text : '';
  } finally {
    await client.close();
  }
}
