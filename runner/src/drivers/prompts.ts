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

/** What an agent hears when its session goes on after a pause, a restart or an answer: only what it has not heard. */
export function resumePrompt({ item, state, ...run }: Run, files: string[]): string {
  const news = newsText(
    { ...unheard(item, item.issue, state.heard), answers: run.answers.splice(0) },
    item.issue,
    files,
  );
  const parts = [
    `Go on with ${item.issue?.key ?? item.issueId}: the issue is yours again.`,
    news ?? 'Nothing else has changed. Say at the end what you did.',
  ];
  return parts.join('\n\n');
}

/**
 * Names each piece of news: a comment by its id, a field by its value. The service repeats them until a turn; an earlier
 * release of it sends none with the start.
 */
export function namesOf(
  { newComments = [], changed = [] }: Partial<News>,
  issue: Schemas['IssueResponse'] | null,
): string[] {
  const values = changed.map((field) => `${field} ${digest(String(issue?.[field as keyof typeof issue]))}`);
  return [...newComments.map(({ id }) => id), ...values];
}

const MAX_HEARD = 2000;

/** Returns the names that a session has heard after more of them. Of a field it knows the last value alone. */
export function heardNow(heard: string[], names: string[]): string[] {
  const subjects = new Set(names.map(subjectOf));
  return [...heard.filter((name) => !subjects.has(subjectOf(name))), ...names].slice(-MAX_HEARD);
}

/** The field that a name of news is about, or the comment. */
const subjectOf = (name: string) => name.split(' ', 1)[0];

/** Returns the news that a session has not heard. @param heard the names of what it has */
export function unheard(news: News, issue: Schemas['IssueResponse'] | null, heard: string[]): News {
  const isNew = (one: News) => namesOf(one, issue).every((name) => !heard.includes(name));
  return {
    newComments: news.newComments.filter((comment) => isNew({ newComments: [comment], changed: [] })),
    changed: news.changed.filter((field) => isNew({ newComments: [], changed: [field] })),
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64');

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
