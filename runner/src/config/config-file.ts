import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { configSchema, type Config } from './config-schema.js';

/** What the operator has to correct before the command can run. The command prints its message and exits with 78. */
export class ConfigError extends Error {}

/** Reads the file, with all paths absolute. @throws {ConfigError} with every error of the file, each with its position */
export function readConfig(file: string): Config {
  const config = parseConfig(textOf(file), file);
  const absolute = (path: string) => resolve(dirname(file), path.replace(/^~(?=\/|$)/, homedir()));
  config.workspaces = absolute(config.workspaces);
  for (const agent of Object.values(config.agents)) {
    if (agent.prompt) agent.prompt = absolute(agent.prompt);
    if (!agent.key.startsWith('$')) agent.key = absolute(agent.key);
    if (agent.git && /^[.~/]/.test(agent.git.repo)) agent.git.repo = absolute(agent.git.repo);
    for (const words of [agent.acp, agent.command])
      if (words?.[0] && /^(\.|~\/)/.test(words[0])) words[0] = absolute(words[0]);
  }
  return config;
}

/** @throws {ConfigError} with every error of the text */
export function parseConfig(text: string, file = 'awp-runner.yaml'): Config {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => Object.values(lines.linePos(offset)).join(':');
  const broken = document.errors.map(({ pos, message }) => `${file}:${at(pos[0])} ${message}`);
  if (broken.length > 0) throw new ConfigError(broken.join('\n'));
  const result = configSchema.safeParse(document.toJS() ?? {}, { error: absent });
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap(problemsOf).map(({ path, message, isKey }) => {
    const name = path.join('.') || 'the file';
    return `${file}:${at(offsetOf(document, path, isKey))} ${name} ${message}`;
  });
  throw new ConfigError(errors.join('\n'));
}

/** Returns the agent's key. @throws {ConfigError} when it cannot be read, or when others can read its file */
export function keyOf(agent: string, key: string): string {
  if (key.startsWith('$')) {
    const value = process.env[key.slice(1)];
    if (value) return value;
    throw new ConfigError(`The variable ${key.slice(1)}, which has the key of ${agent}, is not set.`);
  }
  const text = textOf(key).trim();
  if ((statSync(key).mode & 0o077) === 0) return text;
  throw new ConfigError(`Others can read ${key}, which has the key of ${agent}. Run: chmod 600 ${key}`);
}

const absent = ({ input }: z.core.$ZodRawIssue) => (input === undefined ? 'is missing' : undefined);

function problemsOf(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string; isKey?: boolean }[] {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], message: 'is unknown', isKey: true }));
  if (issue.code === 'invalid_key') return [{ path, message: issue.issues[0]!.message, isKey: true }];
  return [{ path, message }];
}

/** Returns where the value of a path begins, or its key, or else the nearest value above it. */
function offsetOf(document: Document, path: PropertyKey[], isKey = false): number {
  const parent = document.getIn(path.slice(0, -1), true);
  const keys = isKey && isMap(parent) ? parent.items.map(({ key }) => key) : [];
  const key = keys.find((one) => isScalar(one) && String(one.value) === path.at(-1));
  const node = key ?? document.getIn(path, true);
  if (isNode(node) && node.range) return node.range[0];
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${file} cannot be read (${code}). Run: awp-runner init`);
  }
}
