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
  const folder = dirname(resolve(file));
  config.workspaces = pathFrom(folder, config.workspaces);
  for (const agent of Object.values(config.agents)) {
    if (agent.prompt) agent.prompt = pathFrom(folder, agent.prompt);
    if (!agent.key.startsWith('$')) agent.key = pathFrom(folder, agent.key);
    if (agent.git && /^[.~/]/.test(agent.git.repo)) agent.git.repo = pathFrom(folder, agent.git.repo);
    for (const words of [agent.acp, agent.command])
      if (words?.[0] && /^(\.|~\/)/.test(words[0])) words[0] = pathFrom(folder, words[0]);
  }
  return config;
}

/** @throws {ConfigError} with every error of the text */
export function parseConfig(text: string, file = 'awp-runner.yaml'): Config {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const broken = document.errors.map(({ pos, message }) => `${at(pos[0])} ${message}`);
  if (broken.length > 0) throw new ConfigError(broken.join('\n'));
  const result = configSchema.safeParse(document.toJS() ?? {});
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => messagesOf(issue, document, at));
  throw new ConfigError(errors.join('\n'));
}

/** Returns the agent's key. @throws {ConfigError} when it cannot be read, or when others can read its file */
export function keyOf(agent: string, key: string): string {
  if (key.startsWith('$')) {
    const value = process.env[key.slice(1)];
    if (!value)
      throw new ConfigError(`The variable ${key.slice(1)}, which has the key of ${agent}, is not set.`);
    return value;
  }
  const text = textOf(key).trim();
  if ((statSync(key).mode & 0o077) !== 0)
    throw new ConfigError(`Others can read ${key}, which has the key of ${agent}. Run: chmod 600 ${key}`);
  return text;
}

function messagesOf(issue: z.core.$ZodIssue, document: Document, at: (offset: number) => string): string[] {
  const path = issue.path as (string | number)[];
  const name = path.join('.') || 'the file';
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(
      (key) => `${at(offsetOf(document, path, key))} ${[...path, key].join('.')} is unknown`,
    );
  const last = path.at(-1);
  const isKey = issue.code === 'invalid_key' && last !== undefined;
  const offset = isKey ? offsetOf(document, path.slice(0, -1), String(last)) : offsetOf(document, path);
  const missing = issue.code === 'invalid_type' && issue.input === undefined && !document.hasIn(path);
  const text = isKey ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return [`${at(offset)} ${name} ${missing ? 'is missing' : text}`];
}

/** Returns where the value of a path begins, or its key, or else the nearest value above it. */
function offsetOf(document: Document, path: (string | number)[], key?: string): number {
  const node = path.length > 0 ? document.getIn(path, true) : document.contents;
  if (key !== undefined && isMap(node))
    for (const pair of node.items)
      if (isScalar(pair.key) && String(pair.key.value) === key) return pair.key.range?.[0] ?? 0;
  if (isNode(node) && node.range) return node.range[0];
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code}). Run: awp-runner init`,
    );
  }
}

function pathFrom(folder: string, path: string): string {
  return resolve(folder, path.replace(/^~(?=\/|$)/, homedir()));
}
