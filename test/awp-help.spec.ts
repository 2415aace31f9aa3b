import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { settingsSchema } from '../src/platform/config/settings.schema.js';
import { COMMANDS } from '../scripts/commands.mjs';
import { asPackageSays } from '../scripts/package/names.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const AWP = join(ROOT, 'scripts/awp.mjs');
const names = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[];

const awp = (...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    execFile(process.execPath, [AWP, ...args], (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

describe('awp', () => {
  it.each(['help', '--help', '-h'])('lists every command with %s, and ends with 0', async (word) => {
    const { code, stdout } = await awp(word);
    expect(code).toBe(0);
    expect(names.filter((name) => !new RegExp(`^  ${name} `, 'm').test(stdout))).toEqual([]);
  });

  it.each(['version', '--version', '-v'])('prints the version with %s', async (word) => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(await awp(word)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('explains a command after help, and after --help of the command itself, with the same page', async () => {
    const [first, second] = [await awp('help', 'backup'), await awp('backup', 'somewhere', '--help')];
    expect(first).toEqual(second);
    expect(first.code).toBe(0);
    for (const word of ['--ring FOLDER', 'DATA_DIR', 'Exit codes:', ' 64  '])
      expect(first.stdout).toContain(word);
  });

  it.each([['reboot'], ['help', 'reboot']])('refuses an unknown command with 64 (%s)', async (...args) => {
    const { code, stdout, stderr } = await awp(...args);
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toContain("awp has no command 'reboot'");
  });
});

describe('the page of each command', () => {
  it.each(names)('of %s belongs to a script, and names settings that exist', (name) => {
    expect(existsSync(join(ROOT, 'scripts', name === 'setup' ? 'prepare.mjs' : `${name}.mjs`))).toBe(true);
    const { settings, exits } = COMMANDS[name];
    expect(settings.filter((one) => !(one in settingsSchema.shape))).toEqual([]);
    expect(Object.keys(exits)).toEqual(expect.arrayContaining(['0', '1']));
  });
});

describe('the texts of the package', () => {
  it.each([
    ['run `npm run backup -- FOLDER`', 'run `awp backup FOLDER`'],
    ['npm run restore:drill -- FOLDER', 'awp restore-drill FOLDER'],
    ['npm run catalog:import -- npm:@acme/mcp', 'awp catalog-import npm:@acme/mcp'],
    ['npm run keys -- <command>', 'awp keys <command>'],
    ['`npm run doctor` checks', '`awp doctor` checks'],
    ['npm start', 'awp start'],
    // These belong to a checkout.
    ['npm run catalog:check', 'npm run catalog:check'],
    ['npm run openapi', 'npm run openapi'],
  ])('say for %s: %s', (said, expected) => {
    expect(asPackageSays(said)).toBe(expected);
  });

  it('name no command of a checkout in the help', () => {
    const texts = names.map((name) => asPackageSays(COMMANDS[name].usage));
    expect(texts.filter((text) => text.includes('npm run') || text.includes('npm start'))).toEqual([]);
    expect(texts.filter((text, at) => !text.startsWith(`awp ${names[at]}`))).toEqual([]);
  });
});
