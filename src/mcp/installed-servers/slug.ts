/** Longest slug (spec §3.3): it stands before every name of a tool, which has 48 characters in all. */
const MAX_LENGTH = 16;

/** Not to be given out: the platform's own tools bear it. */
const RESERVED = 'platform';

/**
 * The slug of a server that is first called `name`: `^[a-z0-9]+(-[a-z0-9]+)*$`, at most 16 characters, numbered
 * from 2 where it is taken, and never `platform` (spec §3.3).
 */
export function slugOf(name: string, taken: ReadonlySet<string>): string {
  const base = cut(plain(name), MAX_LENGTH) || 'server';
  let slug = base;
  for (let number = 2; taken.has(slug) || slug === RESERVED; number += 1) {
    const ending = `-${number}`;
    slug = cut(base, MAX_LENGTH - ending.length) + ending;
  }
  return slug;
}

/** Letters lose their accents; what is no letter or digit then becomes one hyphen. */
function plain(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}

function cut(text: string, length: number): string {
  return text.replace(/^-+/, '').slice(0, length).replace(/-+$/, '');
}
