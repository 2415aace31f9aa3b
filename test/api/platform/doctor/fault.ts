import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { type Examination, examine, type Settings, type Way } from './examination.js';

/** A secret in settings, which no verdict may contain. */
export const SECRET = 'hunter2-hunter2';

/** What is other than in the healthy installation. An empty setting is one that is not set. */
export interface Changes {
  settings?: Settings;
  way?: Way;
}

type Made<Of> = Of | void | Promise<Of | void>;

/** A mistake of an operator. */
export interface Fault {
  /** In the words of who made it. */
  fault: string;
  /** The line of the doctor that must name it. */
  check: string;
  /** Other lines that it makes errors too: the doctor advises to fix the first one first. */
  also?: string[];
  /** `warn`: the service works with it. */
  level?: 'error' | 'warn';
  says: RegExp;
  plant: () => Made<Changes>;
  /** Does what the fix line says, to the letter, and returns what is to be changed in the settings. */
  follow: (fix: string) => Made<Changes>;
  /** Takes away what it left, so that the next one begins with the healthy installation. */
  clean?: () => unknown;
}

/** Plants each fault in the installation, and follows what the doctor says. */
export function plantEach(healthy: () => Changes, faults: Fault[]): void {
  it.each(faults.map((one) => [one.fault, one] as const))('%s', async (_, fault) => {
    try {
      await drill(healthy(), fault);
    } finally {
      await fault.clean?.();
    }
  });
}

async function drill(
  healthy: Changes,
  { check, also = [], level = 'error', says, plant, follow }: Fault,
): Promise<void> {
  const planted = merged(healthy, (await plant()) ?? {});
  const found = await examine(planted.settings!, planted.way);
  const caused = problemsOf(found).filter(
    (one) => one.check === check || (one.level === 'error' && !also.includes(one.check)),
  );
  expect(caused).toEqual([{ level, check, msg: expect.stringMatching(says), fix: expect.any(String) }]);
  expect(found.code).toBe(level === 'error' ? 1 : 0);
  expect(found.said).not.toContain(SECRET);
  const { msg, fix } = found.verdicts.find((one) => one.check === check && one.level === level)!;
  const followed = (await follow(fix!)) ?? {};
  for (const name of Object.keys(followed.settings ?? {})) expect(`${msg} ${fix}`).toContain(name);
  const changed = merged(planted, followed);
  const after = await examine(changed.settings!, changed.way);
  expect(problemsOf(after).filter((one) => one.level === 'error' || one.check === check)).toEqual([]);
  expect(after.code).toBe(0);
}

function merged(one: Changes, other: Changes): Changes {
  return { settings: { ...one.settings, ...other.settings }, way: { ...one.way, ...other.way } };
}

const problemsOf = ({ verdicts }: Examination) =>
  verdicts
    .filter(({ level }) => level !== 'info')
    .map(({ level, check, msg, fix }) => ({ level, check, msg, fix }));

/** The commands in a fix line: those in backticks, and one of chmod or chown with its path. */
export function commandsIn(fix: string): string[] {
  const quoted = [...fix.matchAll(/`([^`]+)`/g)].map(([, command]) => command!);
  const plain = [...fix.matchAll(/run (ch(?:mod|own) [^,;]*?\/[^\s,;]+)/g)].map(([, command]) => command!);
  return [...quoted, ...plain];
}

/** Follows a fix line by its first command, in a shell. */
export async function byShell(fix: string): Promise<void> {
  const [command] = commandsIn(fix);
  expect(command).toBeDefined();
  await promisify(execFile)('sh', ['-euc', command!]);
}

/** Follows a fix line by its statements. @param run as the superuser */
export const byStatements =
  (run: (statement: string) => Promise<unknown>) =>
  async (fix: string): Promise<void> => {
    const statements = commandsIn(fix).flatMap((text) => text.split('; '));
    expect(statements.length).toBeGreaterThan(0);
    for (const statement of statements) await run(statement);
  };

/** Follows a fix line by settings, each of which it or the problem has to name. */
export const bySetting = (settings: Settings | (() => Settings)) => (): Changes => ({
  settings: typeof settings === 'function' ? settings() : settings,
});

/** Follows a fix line with these words by what a person does with their hands. */
export const byHand =
  <Of>(words: string | RegExp, act: () => Of) =>
  (fix: string): Of => {
    expect(fix).toMatch(words);
    return act();
  };

const root = resolve(import.meta.dirname, '../../../..');
/** The script of each command that a fix line may name. */
const SCRIPTS: Record<string, string> = {
  keys: 'keys',
  backup: 'backup',
  restore: 'restore',
  'restore:drill': 'restore-drill',
};

/**
 * Follows a fix line by the command of npm that it names.
 * @param filled what stands in the place of each FOLDER of it, in their order
 */
export async function byCommand(fix: string, settings: Settings, ...filled: string[]): Promise<void> {
  const [, name, rest = ''] = /`npm run ([\w:]+)(?: -- ([^`]*))?`/.exec(fix)!;
  const places = [...filled];
  const args = rest
    .split(' ')
    .filter(Boolean)
    .map((word) => (word === 'FOLDER' ? places.shift()! : word));
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings };
  await promisify(execFile)(process.execPath, [`${root}/scripts/${SCRIPTS[name!]}.mjs`, ...args], { env });
}
