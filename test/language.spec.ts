import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { allowedUses, bannedWords } from './language/banned-words.js';
import { proseOfCode, proseOfMarkdown } from './language/prose.js';

const root = join(import.meta.dirname, '..');
const PLACES = [
  'src',
  'test',
  'scripts',
  'bench',
  'client',
  'runner',
  'examples',
  'dashboard',
  'deploy',
  'docs',
  '*.md',
];
/** The word list itself, and files that are generated, released or made of data. */
const EXCLUDED = /^(test\/language[./]|client\/schema\.d\.ts|docs\/openapi)/;

const isCode = (file: string) => /\.(tsx?|mjs)$/.test(file);
const isMarkdown = (file: string) => file.endsWith('.md');

/** Returns the banned words of a text, each with what to write instead. */
function bannedIn(text: string): string[] {
  const checked = allowedUses.reduce((rest, use) => rest.replaceAll(new RegExp(use, 'gi'), '…'), text);
  return bannedWords.flatMap(({ pattern, instead }) => {
    const word = pattern.exec(checked)?.[0];
    return word === undefined ? [] : [`"${word}": write ${instead}`];
  });
}

function breachesIn(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const prose = isCode(file) ? proseOfCode(source) : proseOfMarkdown(source);
  return prose.flatMap(({ line, text }) => bannedIn(text).map((breach) => `${file}:${line} ${breach}`));
}

describe('the prose of the repository', () => {
  it('uses standard terms', () => {
    const files = execFileSync('git', ['ls-files', ...PLACES], { cwd: root, encoding: 'utf8' })
      .split('\n')
      .filter((file) => (isCode(file) || isMarkdown(file)) && !EXCLUDED.test(file));
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap(breachesIn)).toEqual([]);
  });
});

describe('the search for banned words', () => {
  it('reads comments and sentences, and skips names and single words', () => {
    const source = "const told = 'told'; // told anew\nthrow new Error('The fault is told.'); /* mend\nit */";
    expect(proseOfCode(source)).toEqual([
      { line: 1, text: '// told anew' },
      { line: 2, text: "'The fault is told.'" },
      { line: 2, text: '/* mend' },
      { line: 3, text: 'it */' },
    ]);
  });

  it('reads sentences inside template literals', () => {
    expect(proseOfCode("const text = `(${name ?? 'nobody has it'})`;").map(({ text }) => text)).toContain(
      "'nobody has it'",
    );
  });

  it('skips code in Markdown', () => {
    expect(proseOfMarkdown('Say `tell`.\n```\ntell\n```').map(({ text }) => text)).toEqual(['Say ….']);
  });

  it('accepts a word in its usual meaning', () => {
    expect(bannedIn('There is no room on the disk. When there is none, wait.')).toEqual([]);
    expect(bannedIn('The rooms of the house')).toHaveLength(1);
  });
});
