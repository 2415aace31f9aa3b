import { z } from 'zod';
import { DURATION, millisecondsOf, splitCommand } from './values.js';

const duration = (fallback: string) =>
  z
    .string()
    .regex(DURATION, 'must be a duration such as 90s, 5m or 2h')
    .default(fallback)
    .transform(millisecondsOf);

const command = z.union([z.string().min(1), z.array(z.string()).min(1)]).transform((value, context) => {
  try {
    const words = typeof value === 'string' ? splitCommand(value) : value;
    if (words[0]) return words;
    context.issues.push({ code: 'custom', message: 'names no program', input: value });
  } catch (error) {
    context.issues.push({ code: 'custom', message: (error as Error).message, input: value });
  }
  return z.NEVER;
});

const limits = z.strictObject({
  turn: duration('60m').describe('How long a turn, or a command, may last.'),
  stall: duration('5m').describe('How long an agent may be without any output in a turn.'),
  turns: z.int().min(1).default(20).describe('How many turns an issue may take.'),
  tokens: z.int().min(1).optional().describe('How many tokens an issue may take.'),
  cost_usd: z.number().positive().optional().describe('What an issue may cost.'),
  output_mb: z.int().min(1).default(64).describe('How much an agent may write on its output.'),
});

const git = z.strictObject({
  repo: z.string().min(1).describe('A URL, or a path relative to this file.'),
  base: z.string().min(1).default('main'),
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
    key: z
      .string()
      .regex(
        /^(\$[A-Za-z_]\w*|(?!awp_).*[./~].*)$/,
        'must be $VARIABLE or the path of a file, not the key itself',
      )
      .describe("The agent's key: $VARIABLE, or a file that only its owner can read (mode 0600)."),
    capacity: z.int().min(1).max(1000).default(1),
    acp: command.optional().describe('The command of an agent that speaks the Agent Client Protocol.'),
    command: command.optional().describe('A command that reads the brief and ends with an exit code.'),
    env: z.array(z.string().regex(/^[A-Za-z_]\w*$/, 'must be the name of a variable')).default([]),
    mode: z.string().min(1).optional().describe('The mode of the session, such as acceptEdits.'),
    permissions: z.enum(['allow', 'ask', 'deny']).default('ask'),
    git: git.optional(),
    hooks: hooks.prefault({}),
    limits: limits.prefault({}),
    prompt: z
      .string()
      .min(1)
      .optional()
      .describe('A file with {{brief}}, {{attempt}}, {{files}}, {{answers}}.'),
    review: z.boolean().default(false).describe('Whether a person looks at every result.'),
  })
  .refine((value) => (value.acp === undefined) !== (value.command === undefined), {
    message: 'needs either acp or command',
  });

/** The form of awp-runner.yaml. */
export const configSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  workspaces: z.string().min(1).default('~/.awp/work'),
  agents: z
    .record(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/i, 'must be a short name'), agent)
    .refine((agents) => Object.keys(agents).length > 0, { message: 'names no agent' }),
});

export type Config = z.output<typeof configSchema>;
export type AgentConfig = Config['agents'][string];
export type Limits = AgentConfig['limits'];

/** Returns the JSON schema of the file, for editors. */
export function editorSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(configSchema, { io: 'input' }), null, 2)}\n`;
}
