import { z } from 'zod';
import { DURATION, isInsecure, millisecondsOf, wordsOf } from './values.js';

const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/i;
const VARIABLE = /^[A-Za-z_]\w*$/;
const KEY = /^(\$[A-Za-z_]\w*|(?!awp_).*[./~].*)$/;

const text = z.string().min(1);
const words = z.array(z.string(), 'has a quote or backslash that is not closed').min(1, 'names no program');
const command = z.union([text, words]).transform(wordsOf).pipe(words);
const span = z.string().regex(DURATION, 'must be a duration such as 90s, 5m or 2h');
const duration = (fallback: string) => span.default(fallback).transform(millisecondsOf);
const key = z.string().regex(KEY, 'must be $VARIABLE or the path of a file, not the key itself');

const limits = z.strictObject({
  turn: duration('60m').describe('How long a turn, or a command, may last.'),
  stall: duration('5m').describe('How long an agent may be without any output in a turn.'),
  turns: z.int().min(1).default(20).describe('How many turns an issue may take.'),
  tokens: z.int().min(1).optional().describe('How many tokens an issue may take.'),
  cost_usd: z.number().positive().optional().describe('What an issue may cost.'),
  output_mb: z.int().min(1).default(64).describe('How much an agent may write on its output.'),
  files_mb: z.int().min(1).default(256).describe('How much the files of an issue may take, in sum.'),
});

const git = z.strictObject({
  repo: text.describe('A URL, or a path relative to this file.'),
  base: text.default('main'),
  branch: z.string().includes('{key}', 'must contain {key}').default('awp/{key}'),
});

const hooks = z.strictObject({
  after_create: z.string().default('').describe('Runs once, in a new workspace.'),
  before_turn: z.string().default('').describe('Runs before each turn.'),
  after_run: z.string().default('').describe('Runs when the agent says that it is done.'),
  timeout: duration('10m'),
});

const agent = z
  .strictObject({
    key: key.describe("The agent's key: $VARIABLE, or a file that only its owner can read (mode 0600)."),
    capacity: z.int().min(1).max(1000).default(1),
    acp: command.optional().describe('The command of an agent that speaks the Agent Client Protocol.'),
    command: command.optional().describe('A command that reads the brief and ends with an exit code.'),
    env: z.array(z.string().regex(VARIABLE, 'must be the name of a variable')).default([]),
    mode: text.optional().describe('The mode of the session, such as acceptEdits.'),
    permissions: z.enum(['allow', 'ask', 'deny']).default('ask'),
    git: git.optional(),
    hooks: hooks.prefault({}),
    limits: limits.prefault({}),
    prompt: text.optional().describe('A file with {{brief}}, {{attempt}}, {{files}}, {{answers}}.'),
    review: z.boolean().default(false).describe('Whether a person looks at every result.'),
  })
  .refine(
    ({ acp, command: plain }) => (acp === undefined) !== (plain === undefined),
    'needs either acp or command',
  );

/** The form of awp-runner.yaml. */
const file = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  allowInsecure: z
    .boolean()
    .default(false)
    .describe(
      'Whether url may be plain http beyond this machine, where others can read the keys and change answers.',
    ),
  workspaces: text.default('~/.awp/work'),
  agents: z
    .record(z.string().regex(NAME, 'must be a short name'), agent)
    .refine((agents) => Object.keys(agents).length > 0, 'names no agent'),
});

export const configSchema = file.refine(({ url, allowInsecure }) => allowInsecure || !isInsecure(url), {
  path: ['url'],
  message:
    'is plain http beyond this machine, where others can read the keys and change answers: use https, or set allowInsecure: true',
});

export type Config = z.output<typeof configSchema>;
export type AgentConfig = Config['agents'][string];

/** Returns the JSON schema of the file, for editors. */
export const editorSchema = (): string =>
  `${JSON.stringify(z.toJSONSchema(file, { io: 'input' }), null, 2)}\n`;
