import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { digestOf, permissionFor, questionOf, usageOf } from '../src/drivers/acp-values.js';
import { heardNow, namesOf, newsText, unheard } from '../src/drivers/prompts.js';
import { killMarked, MARK, startTimeOf } from '../src/processes/process-table.js';
import { masked, presentable, RunLog } from '../src/run/run-log.js';

describe('a log', () => {
  it('masks the secrets of the run and every key of the platform', () => {
    expect(masked('token s3cret-value and awp_l_abcdefgh12, but not is', ['s3cret-value', 'is'])).toBe(
      'token *** and ***, but not is',
    );
  });

  it('cuts long lines, and counts those beyond its limit', () => {
    const folder = mkdtempSync(join(tmpdir(), 'awp-log-'));
    const log = new RunLog(join(folder, 'log.jsonl'));
    for (let count = 0; count < 600; count += 1) log.write('update', 'x'.repeat(200_000));
    log.close();
    const lines = readFileSync(log.file, 'utf8').trim().split('\n');
    expect(readFileSync(log.file).length).toBeLessThan(17 * 2 ** 20);
    const last = JSON.parse(lines.at(-1)!) as { kind: string; data: { lines: number } };
    expect(last).toMatchObject({ kind: 'omitted' });
    expect(lines.length - 1 + last.data.lines).toBe(600);
    rmSync(folder, { recursive: true });
  });
});

describe('the usage of a turn', () => {
  it('is read from the draft field, from the field of Gemini, and from the difference of the costs', () => {
    const usage = { inputTokens: 10, outputTokens: 2, cachedReadTokens: 5 };
    expect(usageOf('i', { usage }, 0.5, 0.25)).toMatchObject({
      inputTokens: 10,
      outputTokens: 2,
      cacheReadTokens: 5,
      costMicros: 250_000,
    });
    const quota = { token_count: { input_tokens: 7, output_tokens: 1 } };
    expect(usageOf('i', { _meta: { quota } }, 0, 0)).toMatchObject({ inputTokens: 7, outputTokens: 1 });
  });

  it('is unreported where the agent reports nothing', () => {
    expect(usageOf('i', { stopReason: 'end_turn' }, 0, 0)).toBeNull();
  });

  it('counts from zero where a new session has cost less than the one before', () => {
    expect(usageOf('i', {}, 0.1, 0.5)).toMatchObject({ costMicros: 100_000 });
  });
});

describe('a permission', () => {
  const options = [
    { optionId: 'a', name: 'Always', kind: 'allow_always' as const },
    { optionId: 'o', name: 'Once', kind: 'allow_once' as const },
    { optionId: 'n', name: 'No', kind: 'reject_once' as const },
  ];
  const request = { sessionId: 's', toolCall: { toolCallId: 'c', title: 'rm -r' }, options };
  const chosen = (policy: 'allow' | 'ask' | 'deny', answers = {}) =>
    permissionFor(request, policy, answers)?.outcome ?? null;

  it('is given once and not for always', () => {
    expect(chosen('allow')).toEqual({ outcome: 'selected', optionId: 'o' });
    expect(chosen('deny')).toEqual({ outcome: 'selected', optionId: 'n' });
  });

  it('is asked once: the answer of a person holds for the same question only', () => {
    expect(chosen('ask')).toBeNull();
    expect(chosen('ask', { [digestOf('May I: rm -r')]: 'No' })).toEqual({
      outcome: 'selected',
      optionId: 'n',
    });
    expect(chosen('ask', { [digestOf('May I: rm -f')]: 'No' })).toBeNull();
  });
});

describe('the question to a person', () => {
  const text = (words: string) => ({
    type: 'content' as const,
    content: { type: 'text' as const, text: words },
  });
  const call = { toolCallId: 'c', title: 'Approve MCP tool call' };

  it('has what the call would do: the texts that the agent shows, or else its arguments', () => {
    expect(questionOf({ ...call, content: [text('Run rm?')], rawInput: { turn: 7 } })).toBe(
      'May I: Approve MCP tool call\n\nRun rm?',
    );
    expect(questionOf({ ...call, rawInput: { path: '/' } })).toBe(
      'May I: Approve MCP tool call\n\n{\n  "path": "/"\n}',
    );
    const diff = { type: 'diff' as const, path: '/a', oldText: 'x', newText: 'y' };
    expect(questionOf({ ...call, content: [diff] })).toBe('May I: Approve MCP tool call\n\n/a:\ny');
  });

  it('is another one for another call with the same title, also where the answer was for always', () => {
    const options = [{ optionId: 'a', name: 'Always', kind: 'allow_always' as const }];
    const answers = { [digestOf(questionOf({ ...call, content: [text('Run ls?')] }))]: 'Always' };
    const asked = (words: string) => {
      const toolCall = { ...call, content: [text(words)] };
      return permissionFor({ sessionId: 's', toolCall, options }, 'ask', answers);
    };
    expect(asked('Run ls?')?.outcome).toMatchObject({ optionId: 'a' });
    expect(asked('Run rm?')).toBeNull();
  });
});

describe('the answer of a person to a permission', () => {
  const options = [
    { optionId: 'a', name: 'Always', kind: 'allow_always' as const },
    { optionId: 'o', name: 'Once', kind: 'allow_once' as const },
  ];
  const request = { sessionId: 's', toolCall: { toolCallId: 'c', title: 'rm -r' }, options };

  it('is used up where the option is for once, and kept where it is for always', () => {
    const answers = { [digestOf('May I: rm -r')]: 'Once' };
    expect(permissionFor(request, 'ask', answers)?.outcome).toMatchObject({ optionId: 'o' });
    expect(permissionFor(request, 'ask', answers)).toBeNull();
    const always = { [digestOf('May I: rm -r')]: 'Always' };
    expect(permissionFor(request, 'ask', always)?.outcome).toMatchObject({ optionId: 'a' });
    expect(permissionFor(request, 'ask', always)?.outcome).toMatchObject({ optionId: 'a' });
  });
});

describe('the news for an agent', () => {
  it('names comments and changed fields with their values, and is null without any', () => {
    const comment = { author: { name: 'Ada' }, content: 'Hello' } as never;
    const issue = { title: 'New', priority: 'high' } as never;
    expect(newsText({ newComments: [comment], changed: ['title'] }, issue, ['/f'])).toBe(
      'Ada wrote:\n\nHello\n\nThe title of the issue is now:\n\nNew\n\nNew files:\n- /f',
    );
    expect(newsText({ newComments: [], changed: [] }, null, [])).toBeNull();
  });
});

describe('the processes of a run', () => {
  it('are found by their mark, also in another session and with another parent', async () => {
    const mark = `test-${process.pid}/`;
    const script = 'setsid sh -c "trap \\"\\" TERM; sleep 600 & echo \\$!; wait" & wait';
    const child = spawn('sh', ['-c', script], {
      env: { ...process.env, [MARK]: `${mark}run` },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const sleeper = Number(String(line));
    expect(startTimeOf(sleeper)).not.toBeNull();
    await killMarked(mark);
    expect(startTimeOf(sleeper)).toBeNull();
    expect(startTimeOf(child.pid!)).toBeNull();
  });

  it('end with what they have started in their group without the mark', async () => {
    const mark = `group-${process.pid}/`;
    const script = `env -u ${MARK} sleep 600 & echo $!; wait`;
    const env = { ...process.env, [MARK]: `${mark}run` };
    const child = spawn('sh', ['-c', script], { env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const ended = once(child, 'exit');
    await killMarked(mark);
    await ended;
    expect(startTimeOf(Number(String(line)))).toBeNull();
  });
});

const MOST_LINES = 1820;

describe('the code of the runner', () => {
  const root = join(import.meta.dirname, '../src');
  const texts = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, name), 'utf8'));

  it(`has at most ${MOST_LINES} lines that are neither blank nor a comment`, () => {
    const lines = texts.flatMap((text) => text.replaceAll(/^\s*(\/\/|\/\*|\*).*$/gm, '').split('\n'));
    expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(MOST_LINES);
  });

  it('has no file above 200 lines', () => {
    expect(Math.max(...texts.map((text) => text.split('\n').length))).toBeLessThanOrEqual(200);
  });

  it('uses nothing of the server', () => {
    const imports = texts.flatMap((text) => [...text.matchAll(/from '([^']+)'/g)].map(([, path]) => path!));
    const packages = new Set(imports.filter((path) => !/^(node:|\.)/.test(path)));
    expect([...packages].toSorted()).toEqual([
      '@agentclientprotocol/sdk',
      'agent-work-platform-client',
      'agent-work-platform-client/work-loop',
      'agent-work-platform-client/worker',
      'yaml',
      'zod',
    ]);
    expect(imports.filter((path) => /^(\.\.\/){3}/.test(path))).toEqual([]);
  });

  it('prints its usage', () => {
    const main = join(import.meta.dirname, '../dist/main.js');
    expect(execFileSync(process.execPath, [main, 'schema'], { encoding: 'utf8' })).toContain('"agents"');
  });
});

describe('news that the service repeats until a turn', () => {
  const comment = (id: string) => ({ id, content: id, author: { id: 'u', name: 'Ann' } }) as never;
  const issue = (title: string) => ({ title }) as never;

  it('are heard once, and a field again when it has another value', () => {
    const news = { newComments: [comment('a')], changed: ['title' as const] };
    const heard = namesOf(news, issue('One'));
    const later = { newComments: [comment('a'), comment('b')], changed: ['title' as const] };
    expect(unheard(later, issue('One'), heard)).toEqual({ newComments: [comment('b')], changed: [] });
    expect(unheard(later, issue('Two'), heard)).toEqual({ newComments: [comment('b')], changed: ['title'] });
  });

  it('have a value again that changed twice', () => {
    const [one, two] = [issue('One'), issue('Two')];
    const title = { newComments: [], changed: ['title' as const] };
    const names = [one, two, one].map((present) => namesOf(title, present));
    const heard = names.reduce<string[]>((before, now) => heardNow(before, now), []);
    expect(unheard(title, two, heard).changed).toEqual(['title']);
    expect(unheard(title, one, heard).changed).toEqual([]);
  });
});

describe('a text for the service', () => {
  it('has no control characters, no half of a character and no secret, also where it is cut', () => {
    expect(presentable('\u001B[31mred\u001B[0m\0\u0007 line\n\ttab', [], 0)).toBe('red line\n\ttab');
    expect(presentable('🦊🦊', [], -3)).toBe('\uFFFD🦊');
    expect(presentable('a secret-value', ['secret-value'], -5)).toBe('a ***');
  });
});
