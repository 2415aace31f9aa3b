import { randomUUID } from 'node:crypto';
import { anAgent, anIssue, aProject, createdBy, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { withKey } from '../../support/callers.js';
import type { Service } from '../../support/service.js';
import { sendHeartbeat } from '../gateway/heartbeat-requests.js';
import { aDeadServer } from '../platform/access/access-world.js';
import { expectSuccess } from '../work/issues/issue-requests.js';

const REVIEWS = 87;
const AGENTS = ['juno', 'ember', 'beacon', 'cinder', 'harbor', 'wren'];
const WORK = [
  'Make refunds idempotent',
  'Post refunds to the ledger once',
  'Reconcile refunds every night',
  'Show pending refunds to support',
  'Import the 2019 chargebacks',
  'Rotate the keys of the card vault',
  'Retry webhooks with a growing pause',
];

/** A project in which 105 things need a person, as an owner of a fleet finds them in the morning. */
export interface Inbox {
  project: Project;
  agents: Record<string, Caller>;
  /** The question that four agents ask alike. */
  equal: string;
}

/** Installs what the broken servers are made from. */
export async function beforeInboxes(service: Service): Promise<void> {
  await createdBy(service.owner, '/api/mcp/installed', { catalogId: 'microsoft-learn' });
  await service.sql(`UPDATE installed_servers SET status = 'disabled'`);
}

/** 12 questions, four of them equal, 87 reviews, two used-up budgets, and four things that are broken. */
export async function aFullInbox(service: Service, key: string): Promise<Inbox> {
  const project = await aProject(service.owner, { key, name: 'Payments' });
  const agents: Record<string, Caller> = {};
  for (const name of AGENTS) {
    const agent = await anAgent(service.owner, { name: `${name} ${key.toLowerCase()}` });
    agents[name] = withKey(service, agent.key);
    Object.assign(agents[name], { id: agent.id, name: agent.name });
  }
  const equal = 'The branch release/2025-11 is merged. May I delete it?';
  await questions(service, { project, agents, equal });
  await reviews(service, project, agents);
  for (const name of ['beacon', 'cinder']) await spendAll(service, project, agents[name]!);
  await breakThings(service, project, agents);
  return { project, agents, equal };
}

async function questions(service: Service, { project, agents, equal }: Inbox): Promise<void> {
  const ask = async (name: string, title: string, fields: object) => {
    const agent = agents[name]!;
    const issue = await anIssue(service.owner, project, { title, assignedAgentId: agent.id });
    await createdBy(agent, `/api/projects/issues/${issue.id}/gates`, fields);
    return issue;
  };
  for (const [at, name] of AGENTS.slice(0, 4).entries())
    await ask(name, WORK[at]!, { question: equal, options: ['Yes', 'No, keep it'], recommended: 'Yes' });
  for (const [at, name] of AGENTS.concat(AGENTS).slice(0, 8).entries()) {
    const question =
      at % 2 === 0
        ? `Keys of refunds are kept for 30 days. Finance asked for ${60 + at} in the meeting of last week, which makes the table four times as large. How long shall they be kept?`
        : `Shall run ${at} go on against the staging ledger?`;
    const options = at % 2 === 0 ? ['30 days', `${60 + at} days`, 'Ask finance'] : ['Go on', 'Stop'];
    await ask(name, WORK[at % WORK.length]!, { question, options });
  }
}

async function reviews(service: Service, project: Project, agents: Inbox['agents']): Promise<void> {
  for (let at = 0; at < REVIEWS; at += 1) {
    const { id: assignedAgentId } = agents[AGENTS[at % AGENTS.length]!]!;
    const title = `${WORK[at % WORK.length]}, part ${at + 1}`;
    const issue = await anIssue(service.owner, project, { title, assignedAgentId });
    await service.sql(
      `UPDATE issues SET status = 'PendingReview', status_since = now() - make_interval(mins => $2) WHERE id = $1`,
      [...[issue.id, at * 7 + 3]],
    );
  }
}

/** The budget of the agent is used up, with three issues behind it. */
async function spendAll(service: Service, project: Project, agent: Caller): Promise<void> {
  for (const title of WORK.slice(0, 3))
    await anIssue(service.owner, project, { title, assignedAgentId: agent.id });
  const limits = { costMicros: 1_500_000, period: 'day' };
  await expectSuccess(service.owner.put(`/api/agents/${agent.id}/budget`, limits));
  const usage = [{ reportId: randomUUID(), inputTokens: 0, outputTokens: 0, costMicros: 4_017_151 }];
  await sendHeartbeat(agent, { capacity: 0, usage });
  await sendHeartbeat(agent, { capacity: 1 });
}

async function breakThings(service: Service, project: Project, agents: Inbox['agents']): Promise<void> {
  const { harbor, wren } = agents;
  await sendHeartbeat(harbor!, { worker: 'w1', capacity: 0, failing: 'git is missing.' });
  await anIssue(service.owner, project, { title: WORK[4], assignedAgentId: wren!.id });
  await sendHeartbeat(wren!, { capacity: 1 });
  await service.sql(`UPDATE agents SET last_heartbeat_at = now() - interval '1 hour' WHERE id = $1`, [
    wren!.id,
  ]);
  for (const reason of ['It crashed at its start.', 'It did not answer within 30 seconds.']) {
    const id = await aDeadServer(service);
    await service.sql(`UPDATE installed_servers SET status = 'error', status_reason = $2 WHERE id = $1`, [
      id,
      reason,
    ]);
  }
}
