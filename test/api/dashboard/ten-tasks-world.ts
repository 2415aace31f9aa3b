import { randomUUID } from 'node:crypto';
import { anAgent, anIssue, type Issue, type NewAgent } from '../../support/builders.js';
import { withKey } from '../../support/callers.js';
import type { Service } from '../../support/service.js';
import { callOf, openGate, setAsk } from '../gateway/approval-setting.js';
import { take } from '../gateway/lease-setting.js';
import type { Installed } from '../gateway/mcp-setting.js';
import { aFullInbox, beforeInboxes, type Inbox } from './inbox-world.js';

/** A chain of 20 issues whose first one waits for the answer of a person. */
export interface Chain {
  root: Issue;
  last: Issue;
}

export interface Fleet extends Inbox {
  chains: Chain[];
  idle: NewAgent[];
}

const CHAIN = 20;
const ISSUES = 2_000;
const SIMPLE = 'Shall run';

/** What the owner of a fleet has: 12 agents, 2,000 issues, 105 causes, and two chains of 20. */
export async function aFleet(service: Service): Promise<Fleet> {
  await beforeInboxes(service);
  const inbox = await aFullInbox(service, 'PAY');
  const idle: NewAgent[] = [];
  for (const name of ['atlas', 'basalt', 'cedar', 'delta', 'elm', 'fjord'])
    idle.push(await anAgent(service.owner, { name }));
  await service.sql(
    `INSERT INTO issues (id, project_id, number, title, description, status, priority, created_by_type, created_by_name)
     SELECT gen_random_uuid(), $1, 10000 + n, 'Reconcile the refunds of the night, number ' || n, 'The ledger and the bank differ.',
       CASE WHEN n % 3 = 0 THEN 'Resolved' ELSE 'Open' END, n % 3, 'system', 'test' FROM generate_series(1, $2::int) AS n`,
    [inbox.project.id, ISSUES],
  );
  const chains = [await aChain(service, inbox, 1), await aChain(service, inbox, 7)];
  return { ...inbox, chains, idle };
}

/** @param run the question that holds the chain up: "Shall run 1 go on against the staging ledger?" */
async function aChain(service: Service, { project }: Inbox, run: number): Promise<Chain> {
  const { body: gates } = await service.owner.get<{ title: string; issue: { id: string } }[]>(
    `/api/projects/gates?state=open&projectId=${project.key}&limit=100`,
  );
  const { issue } = gates.find(({ title }) => title.startsWith(`${SIMPLE} ${run} `))!;
  const root = (await service.owner.get<Issue>(`/api/projects/issues/${issue.id}`)).body;
  let last = root;
  for (let at = 2; at <= CHAIN; at += 1)
    last = await anIssue(service.owner, project, {
      title: `Step ${at} after run ${run}`,
      blockedByIssueId: last.id,
      priority: at === CHAIN ? 'urgent' : 'none',
    });
  return { root, last };
}

/** An agent that waits for the approval of its call, with the promise of the answer. */
export async function aWaitingCall(service: Service, { project }: Inbox, server: Installed) {
  const made = await anAgent(service.owner, { name: `asker ${randomUUID().slice(0, 4)}` });
  const agent = Object.assign(withKey(service, made.key), { id: made.id, name: made.name });
  await setAsk(service, server, agent);
  const issue = await anIssue(service.owner, project, {
    title: 'Publish the notes of the release',
    assignedAgentId: made.id,
  });
  const holder = await take(agent, service, issue);
  const answer = callOf(holder.caller, server, 'write', { path: 'notes.txt' });
  await openGate(service, agent);
  return { issue, answer };
}
