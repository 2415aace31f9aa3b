/** Longest name in code points (contract §1). */
const MAX_NAME_LENGTH = 200;

/** Longest slug (contract §3.3): every advertised tool name starts with it and has 48 characters in all. */
const MAX_SLUG_LENGTH = 16;

/** The slug of the platform's own tools, which no server gets. */
const RESERVED_SLUG = 'platform';

/** Returns the name of an entry, or `NAME 2`, `NAME 3` and so on where that is taken (contract §3.3). */
export function freeName(entryName: string, taken: ReadonlySet<string>): string {
  let name = entryName;
  for (let number = 2; taken.has(name); number += 1) {
    const ending = ` ${number}`;
    name = [...entryName].slice(0, MAX_NAME_LENGTH - ending.length).join('') + ending;
  }
  return name;
}

/**
 * Returns the slug of a server whose first name is `name`: `^[a-z0-9]+(-[a-z0-9]+)*$`, at most 16 characters,
 * numbered from 2 where it is taken, and never `platform` (contract §3.3).
 */
export function slugOf(name: string, taken: ReadonlySet<string>): string {
  const base = cut(hyphenated(name), MAX_SLUG_LENGTH) || 'server';
  let slug = base;
  for (let number = 2; taken.has(slug) || slug === RESERVED_SLUG; number += 1) {
    const ending = `-${number}`;
    slug = cut(base, MAX_SLUG_LENGTH - ending.length) + ending;
  }
  return slug;
}

/** Strips the accents from letters, then replaces every run of other characters by one hyphen. */
function hyphenated(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}

function cut(text: string, length: number): string {
  return text.replace(/^-+/, '').slice(0, length).replace(/-+$/, '');
}
