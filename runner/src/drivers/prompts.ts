import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schemas, Turn } from 'agent-work-platform-client/worker';
import type { Run } from '../run/run.js';

/** The template of an agent that has none of its own. */
const DEFAULT = join(import.meta.dirname, '../../prompt.md');

/** What a silent agent is asked once. */
export const WHAT_WAS_DONE =
  'You ended your turn without a word and without using a tool. Say what you did for this issue. If nothing is done yet, do it now.';

/** An answer of a person, or the result of a call that a person approved. Contract §5.6. */
export type Answer = Schemas['IssueAnswerResponse'];

type News = Pick<Turn, 'newComments' | 'changed'> & { answers?: Answer[] };

/** Returns the brief and all that is known, by the template of the configuration. */
export function firstPrompt({ item, answers, setup }: Run, files: string[]): string {
  const { prompt: template = DEFAULT } = setup.config;
  const values: Record<string, string> = {
    brief: item.brief ?? '',
    attempt: String((item.issue?.attempts ?? 0) + 1),
    files: files.length > 0 ? `Files of the issue:\n${files.map((file) => `- ${file}`).join('\n')}` : '',
    answers: answers.splice(0).map(answerText).join('\n\n'),
  };
  return readFileSync(template, 'utf8')
    .replaceAll(/\{\{(\w+)\}\}/g, (all, name: string) => values[name] ?? all)
    .replaceAll(/\n{3,}/g, '\n\n');
}

/**
 * What an agent hears when its session goes on after a pause, a restart or an answer. A new lease names no news, because
 * its brief holds them, so a brief that has changed is repeated as a whole.
 */
export function resumePrompt({ item, ...run }: Run, isChanged: boolean, files: string[]): string {
  const answers = run.answers.splice(0);
  const known = isChanged ? { newComments: [], changed: [] } : item;
  const news = newsText({ ...known, answers }, item.issue, files);
  const parts = [
    `Go on with ${item.issue?.key ?? item.issueId}: the issue is yours again.`,
    ...(isChanged ? [`This is how it stands now:\n\n${item.brief}`] : []),
    news ?? (isChanged ? '' : 'Nothing else has changed. Say at the end what you did.'),
  ];
  return parts.join('\n\n').trim();
}

/** Returns the digest of what a brief says apart from the runner's own logs, which each run adds to its files. */
export function briefDigest(brief: string): string {
  const said = brief.replaceAll(/^(- awp-run-\d+\.jsonl .*|## Attachments)$/gm, '').replaceAll(/\s+/g, ' ');
  return createHash('sha256').update(said.trim()).digest('base64');
}

/** Returns only what the agent does not know yet, or null. */
export function newsText(news: News, issue: Schemas['IssueResponse'] | null, files: string[]): string | null {
  const changed = issue ? news.changed.filter((field) => field !== 'attachments') : [];
  const parts = [
    ...news.newComments.map(({ author, content }) => `${author.name} wrote:\n\n${content}`),
    ...changed.map(
      (field) => `The ${field} of the issue is now:\n\n${String(issue?.[field as keyof typeof issue])}`,
    ),
    ...(files.length > 0 ? [`New files:\n${files.map((file) => `- ${file}`).join('\n')}`] : []),
    ...(news.answers ?? []).map(answerText),
  ];
  return parts.length > 0 ? parts.join('\n\n') : null;
}

function answerText({ gateId, kind, ...fields }: Answer): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== null);
  const lines = shown.map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `The answer to your ${kind} (${gateId}):\n${lines.join('\n')}`;
}
