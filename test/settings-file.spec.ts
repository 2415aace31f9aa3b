import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, it } from '@jest/globals';

const MODULE = resolve(import.meta.dirname, '../scripts/settings-file.mjs');
const folder = mkdtempSync(join(tmpdir(), 'awp-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads a file as a command does, and returns the variables that it has set or replaced, and the arguments that are left. */
function taken(text: string, args: string[] = ['backup', '--settings', join(folder, 'env'), '--keep', '3']) {
  writeFileSync(join(folder, 'env'), text);
  const code = `const { takeSettingsFile } = await import(process.argv[1]); takeSettingsFile();
    const { PATH, ...rest } = process.env; console.log(JSON.stringify({ set: rest, args: process.argv.slice(2) }));`;
  const env = { PATH: process.env['PATH'], PORT: '1' };
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', code, MODULE, ...args], {
    env,
  });
  return JSON.parse(String(output)) as { set: Record<string, string>; args: string[] };
}

/** Each was compared with the reader of systemd 252 (30-systemd-environment-d-generator), with 1,500 random files besides. */
describe('a file of settings', () => {
  it.each([
    ['A=b', 'b'],
    ['A = b c  ', 'b c'],
    ['A=b#c', 'b#c'],
    ['A=b # c', 'b # c'],
    ['A="b # c"', 'b # c'],
    ["A='b\"c\\n'", 'b"c\\n'],
    ['A="b\\"c\\\\d\\$e\\n"', 'b"c\\d$e\\n'],
    ['A=b\\ c\\"d', 'b c"d'],
    ['A="b" \'c\' d', 'bcd'],
    ['A=b"c"', 'b"c"'],
    ['A="b\nc"', 'b\nc'],
    ['A=b\\\nc', 'bc'],
    ['A="b\\\nc"', 'bc'],
    ['# A=no\n; A=no\nno line\nA=yes', 'yes'],
    ['A=no\nA=yes', 'yes'],
    ['A=', ''],
    ['9A=no\nA=b', 'b'],
  ])('is read as systemd reads it: %j', (text, value) => {
    expect(taken(text).set['A']).toBe(value);
  });

  it('wins over the environment, and its option is taken out of the arguments', () => {
    const { set, args } = taken('PORT=2\r\nHOST=::1');
    expect(set).toMatchObject({ PORT: '2', HOST: '::1' });
    expect(args).toEqual(['backup', '--keep', '3']);
    expect(taken('PORT=2', [`--settings=${join(folder, 'env')}`])).toMatchObject({
      set: { PORT: '2' },
      args: [],
    });
    expect(taken('PORT=2', ['check'])).toMatchObject({ set: { PORT: '1' }, args: ['check'] });
  });

  it.each([
    [['--settings'], 64, '--settings needs a file'],
    [['--settings', '/nowhere/env'], 78, '--settings /nowhere/env cannot be read (ENOENT)'],
  ])('ends the command with what is wrong: %j', (args, status, says) => {
    try {
      taken('', args);
      throw new Error('the command went on');
    } catch (error) {
      expect(error).toMatchObject({ status });
      expect(String((error as { stderr?: Buffer }).stderr)).toContain(says);
    }
  });
});

describe('deploy/nightly.sh', () => {
  const script = resolve(import.meta.dirname, '../deploy/nightly.sh');

  /** Runs the script with commands in place of time and the package's own, until its second night begins. */
  function nights(day: string, second: number): string[] {
    const at = mkdtempSync(join(folder, 'bin-'));
    const commands = {
      date: `case "$*" in *%s*) echo ${second};; *) echo ${day};; esac`,
      sleep: `echo sleep "$@" >> ${at}/log; [ -e ${at}/slept ] && kill $PPID; touch ${at}/slept`,
      awp: `echo awp "$@" >> ${at}/log`,
    };
    for (const [name, text] of Object.entries(commands))
      writeFileSync(join(at, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    try {
      execFileSync('sh', [script, '7'], {
        env: { PATH: `${at}:${process.env['PATH']}` },
        stdio: 'ignore',
      });
    } catch (error) {
      expect(error).toMatchObject({ signal: 'SIGTERM' });
    }
    return String(execFileSync('cat', [join(at, 'log')]))
      .trim()
      .split('\n');
  }

  it('waits for a quarter past two, makes a backup, and on Sundays restores it on trial', () => {
    const backup = 'awp backup /backups --ring /rings --keep 7';
    expect(nights('1', 86_400 * 20_000 + 8_100 - 60)).toEqual(['sleep 60', backup, 'sleep 60']);
    expect(nights('7', 86_400 * 20_000 + 8_100)).toEqual([
      'sleep 86400',
      backup,
      'awp restore-drill /backups --ring /rings',
      'sleep 86400',
    ]);
  });
});
