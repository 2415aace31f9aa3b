import { asSentence } from '../../agents/agent-failures.service.js';
import type { AttentionKind } from './attention-kinds.js';
import type { CauseRow } from './attention.repository.js';
import { nearestLimit, shareOf, wordsOf } from './near-limits.js';

interface Text {
  title: string;
  detail: string;
}

/** What an item says: what it is, and what to do about it (contract §8.7). */
const TEXTS: Record<AttentionKind, (cause: CauseRow) => Text> = {
  gate: ({ gate }) => ({
    title: gate!.title,
    detail: gate!.detail ?? 'An agent waits for a person.',
  }),
  review: ({ issue }) => ({
    title: `${issue!.key} waits for a review: ${issue!.title}`,
    detail: 'Look at the work, then resolve the issue or send it back.',
  }),
  exhausted: ({ issue }) => ({
    title: `${issue!.key} failed ${issue!.attempts} times: ${issue!.title}`,
    detail: 'Find out why, change the issue or its agent, then open it again.',
  }),
  stuck: (cause) => ({
    title: `Others wait for ${cause.issue!.key}: ${cause.issue!.title}`,
    detail: whyStuck(cause),
  }),
  released: ({ issue, agent }) => ({
    title: `${agent!.name} released ${issue!.key} ${issue!.releases} times in a row: ${issue!.title}`,
    detail: `${issue!.releaseReason === null ? 'It gave no reason.' : `Its last reason: ${asSentence(issue!.releaseReason)}`} Answer in a comment, change the issue, or assign it to another agent.`,
  }),
  server_error: ({ server }) => ({
    title: `${server!.name} does not work`,
    detail: server!.reason ?? 'Its last verification failed. Verify it again.',
  }),
  tools_changed: ({ server }) => ({
    title: `${server!.name} has tools to approve`,
    detail: `${server!.waiting} new or changed tool(s) are withheld from agents. Compare the texts, then approve them.`,
  }),
  agent_failing: ({ agent }) => ({
    title: `${agent!.name} takes no more work`,
    detail: `${asSentence(agent!.failure!)} Correct that, then start its worker ${agent!.failingWorker} again.`,
  }),
  agent_silent: ({ agent }) => ({
    title: `${agent!.name} is silent`,
    detail: 'It holds issues and has sent no heartbeat for three intervals. Check that it runs.',
  }),
  credential: ({ server }) => ({
    title: `${server!.name} rejects its credentials`,
    detail: 'Enter new values for the server, then verify it again.',
  }),
  sign_in: ({ server, credentialSet }) => ({
    title: `${server!.name} needs a sign-in with the credentials "${credentialSet!.name}"`,
    detail: `${credentialSet!.reason} Until an admin signs in, its agents go on without the server.`,
  }),
  webhook_disabled: ({ webhook }) => ({
    title: `Nothing is sent to the webhook at ${new URL(webhook!.url).host} any more`,
    detail: `${webhook!.reason === 'gone' ? 'Its address answered 410 Gone' : 'Its address answered 404 for a day'}, so it was disabled. Give it another address and enable it, or delete it.`,
  }),
  key_expiring: ({ apiKey, agent }) => ({
    title: `The key ${apiKey!.name}${agent ? ` of ${agent.name}` : ''} expires soon`,
    detail: `It expires at ${apiKey!.expiresAt}. Make a new key and use it before that.`,
  }),
  budget_near: (cause) => {
    const { used, measure } = nearestLimit(cause.budget!);
    return {
      title: `The budget of ${nameOfBudget(cause)} is ${shareOf(cause.budget!)}% used: ${wordsOf(measure, used)}`,
      detail: 'The work stops where the limit is reached. Raise it if the work is to go on.',
    };
  },
};

export function textOf(cause: CauseRow): Text {
  return TEXTS[cause.kind](cause);
}

function nameOfBudget({ budget, issue, agent, project }: CauseRow): string {
  return { issue: issue?.key, agent: agent?.name, project: `project ${project?.key}` }[budget!.scope] ?? 'it';
}

function whyStuck({ issue, agent }: CauseRow): string {
  if (issue!.paused) return 'Someone paused it. Resume it.';
  if (!agent) return 'It has no assignee. Assign it to an agent or a person.';
  if (agent.retired) return `${agent.name} was retired. Assign the issue to another agent.`;
  if (agent.disabled) return `${agent.name} is disabled. Enable it, or assign the issue to another agent.`;
  if (agent.neverSeen) return `${agent.name} has never sent a heartbeat. Start it.`;
  return `${agent.name} sends no heartbeat. Check that it runs, or assign the issue to another agent.`;
}
