import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');

/** Returns the commands under the comment `<!-- name … -->` of a page, as a reader copies them. */
export function shellBlock(page: string, name: string): string {
  const text = readFileSync(join(root, page), 'utf8');
  const commands = new RegExp(`<!-- ${name}\\b[^>]*-->\\s*\`\`\`sh\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
  if (!commands) throw new Error(`${page} has no commands under <!-- ${name} -->.`);
  return commands;
}

/** Runs the commands in one shell, which ends at the first that fails. */
export async function runShell(commands: string, variables: Record<string, string>): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...variables };
  return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], { env })).stdout;
}
