import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { secretFileSettings } from '../src/platform/config/secret-files.js';
import { settingsSchema } from '../src/platform/config/settings.schema.js';

/**
 * What messages tell a person to do is followed here: each page, section, command, script and setting that a text of the
 * code names must exist. A fix that leads nowhere costs the time of an outage.
 */
const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const files = ['src', 'scripts'].flatMap((folder) =>
  (readdirSync(join(root, folder), { recursive: true }) as string[])
    .filter((name) => /\.(ts|mjs)$/.test(name) && !/\.spec\.ts$/.test(name))
    .map((name) => `${folder}/${name}`),
);

/** The texts of a file: literals, without comments and imports. A line break within a text is a space. */
function textsOf(file: string): string[] {
  const code = read(file)
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].map(([text]) =>
    text.slice(1, -1).replaceAll('\\`', '`').replaceAll(/\s+/g, ' '),
  );
}

const texts = files.flatMap((file) => textsOf(file).map((text) => ({ file, text })));
const found = (pattern: RegExp) =>
  texts.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([, ...parts]) => ({ file, parts })));

/** Variables that are no settings of the service: of a child process of Node, and of the demonstration. */
const OTHERS = ['NODE_CHANNEL_FD', 'BASE_URL', 'API_KEY'];

/** The headings of a page, as text and as the anchor of a link. */
function sectionsOf(page: string): string[] {
  const titles = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!.replaceAll('`', ''));
  const anchor = (title: string) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
  return titles.flatMap((title) => [title, anchor(title)]);
}

describe('what messages tell a person to do', () => {
  it('names only pages that exist, and of each page only its sections', () => {
    const named = found(/\b((?:docs\/)?[\w-]+\.md|docs\/[\w/-]+\.md)(?:#([\w-]+)|, "([^"]+)")?/g);
    expect(named.length).toBeGreaterThan(10);
    const lost = named.filter(({ parts: [page, anchor, title] }) => {
      if (!existsSync(join(root, page!))) return page!.startsWith('docs/');
      const section = anchor ?? title;
      return section !== undefined && !sectionsOf(page!).includes(section);
    });
    expect(lost).toEqual([]);
    // Prose such as 'docs/x.md on damaged databases' names a section in a form that cannot be followed.
    expect(found(/(docs\/[\w/-]+\.md (?:on|about|under) [^;.]*)/g)).toEqual([]);
  });

  it('names only commands that exist, and of the key ring only its own', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = found(/npm run (?:--silent )?([a-z][\w:-]*)(?: -- ([a-z]+)\b)?/g);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter(({ parts: [name] }) => !Object.hasOwn(scripts, name!))).toEqual([]);
    const ofKeys = named.filter(({ parts: [name, command] }) => name === 'keys' && command !== undefined);
    expect(ofKeys.length).toBeGreaterThan(2);
    expect(
      ofKeys.filter(({ parts: [, command] }) => !existsSync(join(root, `scripts/keys/${command}.mjs`))),
    ).toEqual([]);
    expect(
      found(/\b(scripts\/[\w-]+\.mjs)/g).filter(({ parts: [path] }) => !existsSync(join(root, path!))),
    ).toEqual([]);
  });

  it('names only settings that exist after "set", "unset", "correct", "name … in" and "check"', () => {
    const known = [...Object.keys(settingsSchema.shape), ...secretFileSettings];
    const named = found(
      /\b(?:[Ss]et|[Uu]nset|[Cc]orrect|[Cc]heck|[Rr]aise|[Ll]ower|in) ([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g,
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ parts: [name] }) => !known.includes(name!) && !OTHERS.includes(name!))).toEqual(
      [],
    );
  });

  it('is said by each verdict of the doctor that is no success', () => {
    const verdicts = files
      .filter((file) => file.startsWith('scripts/doctor/'))
      .flatMap((file) =>
        [...read(file).matchAll(/\b(?:problem|note)\(\s*('[^']*'|`[^`]*`),?\s*\)/g)].map(([text]) => text),
      );
    expect(verdicts).toEqual([]);
  });
});
