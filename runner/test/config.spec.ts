import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, parseConfig } from '../src/config/config-file.js';
import { editorSchema } from '../src/config/config-schema.js';
import { wordsOf } from '../src/config/values.js';

const errorsOf = (text: string): string[] => {
  try {
    parseConfig(text, 'a.yaml');
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
};

describe('awp-runner.yaml', () => {
  it('fills in what an agent does not set', () => {
    const { agents, workspaces } = parseConfig(
      'url: http://127.0.0.1:3000\nagents:\n  writer: { key: $KEY, acp: "opencode acp", limits: { turn: 2h } }\n',
    );
    expect(workspaces).toBe('~/.awp/work');
    expect(agents['writer']).toMatchObject({
      acp: ['opencode', 'acp'],
      capacity: 1,
      permissions: 'ask',
      review: false,
      limits: { turn: 7_200_000, stall: 300_000, turns: 20 },
      hooks: { after_create: '', timeout: 600_000 },
    });
  });

  it('reports every error with its line and column', () => {
    const text = [
      'url: ftp://example.com',
      'colour: red',
      'agents:',
      '  writer:',
      '    key: awp_a_0123456789',
      '    acp: claude-agent-acp',
      '    command: ./lint.sh',
      '    capacity: 0',
      '    limits:',
      '      turn: soon',
      '  linter: { command: ./lint.sh }',
    ].join('\n');
    expect(errorsOf(text)).toEqual([
      'a.yaml:1:6 url must be an http or https URL',
      'a.yaml:5:10 agents.writer.key must be $VARIABLE or the path of a file, not the key itself',
      'a.yaml:8:15 agents.writer.capacity Too small: expected number to be >=1',
      'a.yaml:10:13 agents.writer.limits.turn must be a duration such as 90s, 5m or 2h',
      'a.yaml:5:5 agents.writer needs either acp or command',
      'a.yaml:11:11 agents.linter.key is missing',
      'a.yaml:2:1 colour is unknown',
    ]);
  });

  it('reports an agent with two commands, and one with none', () => {
    const file = (agent: string) => `url: https://a.example\nagents:\n  writer: { key: $KEY${agent} }\n`;
    expect(errorsOf(file(', acp: a, command: b'))).toEqual([
      'a.yaml:3:11 agents.writer needs either acp or command',
    ]);
    expect(errorsOf(file(''))).toEqual(['a.yaml:3:11 agents.writer needs either acp or command']);
  });

  const agents = { writer: { key: '$KEY', command: 'true' } };

  it.each([
    'http://a.example',
    'http://10.0.0.1:3000',
    'http://127.0.0.1.example',
    'http://[fe80::1]',
    'HTTP://A.example',
  ])('accepts plain http beyond this machine only with allowInsecure (%s)', (url) => {
    expect(errorsOf(JSON.stringify({ url, agents }))).toEqual([
      expect.stringMatching(/^a\.yaml:1:8 url is plain http beyond this machine.*allowInsecure: true$/),
    ]);
    expect(errorsOf(JSON.stringify({ url, agents, allowInsecure: true }))).toEqual([]);
  });

  it.each([
    'https://a.example',
    'http://127.0.0.1:3000',
    'http://127.9.9.9',
    'http://localhost',
    'http://[::1]:3000',
    'http://awp.localhost',
  ])('accepts %s without allowInsecure', (url) => {
    expect(errorsOf(JSON.stringify({ url, agents }))).toEqual([]);
  });

  it('reports broken YAML with its position', () => {
    expect(errorsOf('url: "http://a.example\nagents: {')[0]).toMatch(/^a\.yaml:\d+:\d+ /);
  });

  it('has a schema for editors that is the one of the code', () => {
    const file = join(import.meta.dirname, '..', 'awp-runner.schema.json');
    expect(readFileSync(file, 'utf8')).toBe(editorSchema());
  });
});

describe('a command line', () => {
  it.each([
    ['opencode acp', ['opencode', 'acp']],
    [`sh -c 'echo "a b"' ''`, ['sh', '-c', 'echo "a b"', '']],
    ['"a \\" b"  c\\ d', ['a " b', 'c d']],
  ])('%s is split like by a shell', (line, words) => {
    expect(wordsOf(line)).toEqual(words);
  });

  it.each([
    ['a "b', 'has a quote or backslash that is not closed'],
    [' ', 'names no program'],
  ])('«%s» is refused', (line, problem) => {
    const agents = { writer: { key: '$KEY', command: line } };
    expect(errorsOf(JSON.stringify({ url: 'https://a.example', agents }))).toEqual([
      expect.stringMatching(new RegExp(`agents\\.writer\\.command ${problem}$`)),
    ]);
  });

  it('stays as it is when it is a list', () => {
    expect(wordsOf(['sh', '-c', 'a "b'])).toEqual(['sh', '-c', 'a "b']);
  });
});
