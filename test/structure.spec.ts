import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { swallowedErrorsIn } from './structure/swallowed-errors.js';

const LONGEST = 300;
const MOST_PROVIDERS = 14;
const MOST_FILES = 40;
const MOST_SOURCES = 620;
const SUPPRESSION = /@ts-(ignore|expect-error|nocheck)|(oxlint|eslint)-disable/;
const ANY = /\bas any\b|:\s*any\b(?! of)|<any\b|\bany\[\]|,\s*any>/;
const INJECTABLE = /^@(Injectable|Controller|Module|Catch)\(/m;
const ROLE =
  /\.(controller|service|repository|module|guard|interceptor|filter|provider|worker|client|middleware|strategy)\.ts$/;

const root = join(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file.endsWith('.ts'));
const isTest = (file: string) => file.endsWith('.spec.ts');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const sources = files.map((file) => ({ file, text: textOf(file) }));
const linesOf = (text: string) => text.split('\n').length - 1;
const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:'"`\w/])\/\/[^\n]*/g, '');
/** The providers of a module, each as its text; the options of one in braces count as one. */
const providersOf = (text: string) =>
  (/providers: \[((?:[^[\]]|\[[^[\]]*\])*)\]/.exec(text)?.[1] ?? '')
    .replaceAll(/\{[\s\S]*?\n {4}\}|\{[^{}\n]*\}/g, 'provided')
    .split(',')
    .map((provider) => provider.trim())
    .filter((provider) => provider !== '');
const namesOf = (found: { file: string }[]) => found.map(({ file }) => file);

describe('a source file', () => {
  it(`has at most ${LONGEST} lines`, () => {
    expect(files.length).toBeGreaterThan(500);
    expect(namesOf(sources.filter(({ text }) => linesOf(text) > LONGEST))).toEqual([]);
  });

  it(`is one of at most ${MOST_SOURCES}`, () => {
    expect(files.filter((file) => !isTest(file)).length).toBeLessThanOrEqual(MOST_SOURCES);
  });

  it('uses no any', () => {
    expect(namesOf(sources.filter(({ text }) => ANY.test(withoutComments(text))))).toEqual([]);
  });

  it('suppresses no rule of the compiler or linter', () => {
    expect(namesOf(sources.filter(({ text }) => SUPPRESSION.test(text)))).toEqual([]);
  });

  it('has its role in its name when it contains an injectable class', () => {
    const injectables = sources.filter(({ file, text }) => !isTest(file) && INJECTABLE.test(text));
    expect(injectables.length).toBeGreaterThan(100);
    expect(namesOf(injectables.filter(({ file }) => !ROLE.test(file)))).toEqual([]);
  });

  it('declares no function when it is named after errors', () => {
    const ofErrors = sources.filter(({ file }) => file.endsWith('.errors.ts'));
    expect(ofErrors.length).toBeGreaterThan(0);
    expect(namesOf(ofErrors.filter(({ text }) => /^(export )?(async )?function /m.test(text)))).toEqual([]);
  });

  it('says why an error that it swallows cannot matter', () => {
    const swallowed = sources
      .filter(({ file }) => !isTest(file))
      .flatMap(({ file, text }) => swallowedErrorsIn(text).map((line) => `${file}:${line}`));
    expect(swallowed).toEqual([]);
  });
});

describe('a length of time', () => {
  /** Where the time of day is meant: expiry, the comparison of two clocks, the age of a file, and what was stored with its date. */
  const OF_THE_DAY = [
    'src/gateway/attention/attention.request.ts',
    'src/gateway/fleet/fleet.service.ts',
    'src/mcp/packages/package-unavailable-and-folders.ts',
    'src/mcp/processes/connection/mcp-connection.ts',
    'src/platform/database/data-source-pool-and-limits.ts',
    'src/platform/info/info.response.ts',
    'src/platform/passwords/password-hashes-and-throttle.service.ts',
    'src/platform/users/api-keys.service.ts',
    'src/work/code/code-hooks-and-signatures.service.ts',
    'src/work/code/code-news.ts',
  ];

  it('is measured by the clock that no correction moves: performance.now(), not Date.now()', () => {
    const found = sources.filter(({ file, text }) => !isTest(file) && /\bDate\.now\b/.test(text));
    expect(namesOf(found)).toEqual(OF_THE_DAY);
  });
});

describe('a module', () => {
  const modules = sources
    .filter(({ file }) => file.endsWith('.module.ts'))
    .map(({ file, text }) => ({ file, providers: providersOf(text) }));

  it(`has at most ${MOST_PROVIDERS} providers`, () => {
    expect(modules.length).toBeGreaterThan(40);
    expect(modules.flatMap(({ providers }) => providers).length).toBeGreaterThan(200);
    expect(modules.filter(({ providers }) => providers.length > MOST_PROVIDERS)).toEqual([]);
  });

  it(`has at most ${MOST_FILES} files in its folder`, () => {
    const counts = new Map<string, number>();
    for (const { file } of sources)
      if (!isTest(file)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
  });
});

describe('the search for swallowed errors', () => {
  it.each([
    ['a handler without a comment', 'a();\nawait b().catch(() => undefined);', [2]],
    ['a handler that returns a value', 'const a = await b().catch(() => null);', [1]],
    ['a second function of then', 'b().then(\n  () => true,\n  () => false,\n);', [3]],
    ['a listener', "client.on('error', () => undefined);", [1]],
    ['a catch without a comment', 'try {\n  a();\n} catch {\n  return null;\n}', [3]],
  ])('finds %s', (_, source, lines) => {
    expect(swallowedErrorsIn(source)).toEqual(lines);
  });

  it.each([
    ['a comment above', '// The file may be missing.\nawait b().catch(() => null);'],
    ['a comment beside it', 'await b().catch(() => null); // The file may be missing.'],
    ['a comment in the catch', 'try {\n  a();\n} catch {\n  // It has ended.\n  return null;\n}'],
    ['another error', "try {\n  a();\n} catch {\n  throw new Error('The file is not readable.');\n}"],
    ['a handler that uses the error', 'await b().catch((error) => this.log.warn(error));'],
  ])('accepts %s', (_, source) => {
    expect(swallowedErrorsIn(source)).toEqual([]);
  });
});
