import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');

/** Returns the commands under the comment `<!-- name … -->` of a page, as a reader copies them. */
export const shellBlock = (page: string, name: string) => codeBlock(page, name, 'sh');

/** Returns the code under the comment `<!-- name … -->` of a page. */
export function codeBlock(page: string, name: string, language: string): string {
  const text = readFileSync(join(root, page), 'utf8');
  const block = new RegExp(`<!-- ${name}\\b[^>]*-->\\s*\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(
    text,
  )?.[1];
  if (!block) throw new Error(`${page} has no ${language} under <!-- ${name} -->.`);
  return block;
}

/** Returns the output under the comment `<!-- prints: name -->` of a page. */
export function printedBlock(page: string, name: string): string {
  const text = readFileSync(join(root, page), 'utf8');
  const output = new RegExp(`<!-- prints: ${name} -->\\s*\`\`\`text\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
  if (!output) throw new Error(`${page} has no output under <!-- prints: ${name} -->.`);
  return output;
}

/** Returns the lines of an output without what differs from run to run: paths, times, numbers, and the lines of npm. */
export function shapeOf(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => line !== '' && !/^(> |Building|Installing)/.test(line))
    .map((line) =>
      line
        .replace(/(?<=^|\s)\/\S*?(?=[.,]?(\s|$))/g, 'PATH')
        .replace(/\d{4}-\d\d-\d\dT[\d:.-]+Z/g, 'TIME')
        .replace(/\d+/g, 'N'),
    );
}

/** Runs the commands in one shell, which ends at the first that fails. */
export async function runShell(commands: string, variables: Record<string, string>): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...variables };
  return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], { env })).stdout;
}
