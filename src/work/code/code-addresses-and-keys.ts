import type { CodeKind, CodeProvider } from './code.entity.js';

/** The longest address of a branch, commit or pull request. */
export const LONGEST_URL = 2_000;

/** What an address of a code host names. */
export interface CodeAddress {
  kind: CodeKind;
  /**
   * One for all spellings of the same address: without query and fragment, and without the pages of a pull request, with the
   * repository in lower case, because code hosts do not tell its cases apart, and with the name of a branch encoded as
   * `branchAddress` does.
   */
  url: string;
  /** The address of its repository, in lower case. */
  repository: string;
  /** What it is called until its code host reports its title. */
  title: string;
}

const OWNER_AND_NAME = '^(/[^/]+/[^/]+)';
/** A project of GitLab lies in groups within groups, and `/-/` ends its path. */
const IN_GROUPS = '^(/.+?)';
const NUMBER = '([1-9]\\d*)(?:/.*)?$';
const SHA = '([0-9a-f]{7,64})$';

/** The paths of GitHub, GitLab and Gitea; the groups are the repository, what identifies the object in it, and its name. */
const PATHS: readonly { kind: CodeKind; form: RegExp; sign: string }[] = [
  { kind: 'pull_request', form: new RegExp(`${IN_GROUPS}(/(?:-/)?merge_requests/${NUMBER})`), sign: '!' },
  { kind: 'commit', form: new RegExp(`${IN_GROUPS}(/-/commit/${SHA})`), sign: '@' },
  { kind: 'branch', form: new RegExp(`${IN_GROUPS}(/-/tree/(.+)$)`), sign: ':' },
  { kind: 'pull_request', form: new RegExp(`${OWNER_AND_NAME}(/pulls?/${NUMBER})`), sign: '#' },
  { kind: 'commit', form: new RegExp(`${OWNER_AND_NAME}(/commit/${SHA})`), sign: '@' },
  { kind: 'branch', form: new RegExp(`${OWNER_AND_NAME}(/(?:tree|src/branch)/(.+)$)`), sign: ':' },
];

/** Returns what an address names, or null for one that is no branch, commit or pull request of a code host. */
export function codeAddressOf(text: string): CodeAddress | null {
  const url = plainAddress(text);
  if (!url) return null;
  for (const { kind, form, sign } of PATHS) {
    const [, repository, object, name] = form.exec(url.pathname) ?? [];
    if (repository === undefined || object === undefined || name === undefined) continue;
    const path = repository.slice(1);
    const shown = decoded(name);
    const address = `${url.origin}${repository}`.toLowerCase();
    const end = kind === 'pull_request' ? object.indexOf(`/${name}`) + 1 : object.length - name.length;
    const identified = `${address}${object.slice(0, end)}${encoded(shown)}`;
    // An encoded name may be longer than the one that was given, and no branch has control characters in its name.
    if (identified.length > LONGEST_URL || CONTROL.test(shown)) return null;
    return {
      kind,
      url: identified,
      repository: address,
      title: `${path}${sign}${kind === 'commit' ? name.slice(0, 12) : shown}`,
    };
  }
  return null;
}

/** Returns the address of a repository as it is compared, or null for a text that is not one. */
export function repositoryAddressOf(text: string): string | null {
  const url = plainAddress(text);
  if (!url || !/^\/[^/]+\/.*[^/]$/.test(url.pathname)) return null;
  return `${url.origin}${url.pathname}`.toLowerCase().replace(/\.git$/, '');
}

function plainAddress(text: string): URL | null {
  if (text.length > LONGEST_URL || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (url.username !== '' || url.password !== '') return null;
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

const CONTROL = /\p{Cc}/u;

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // An address with a lone percent sign is shown as it is.
    return name;
  }
}

const BRANCH_PATH = { github: 'tree', gitlab: '-/tree', gitea: 'src/branch' } as const satisfies Record<
  CodeProvider,
  string
>;

/** The address of a branch, which deliveries do not name. */
export function branchAddress(provider: CodeProvider, repository: string, branch: string): string {
  return `${repository}/${BRANCH_PATH[provider]}/${encoded(branch)}`;
}

function encoded(branch: string): string {
  return branch.split('/').map(encodeURIComponent).join('/');
}

/** The characters of a text in which keys are looked for. */
const SEARCHED_CHARACTERS = 100_000;

/**
 * Finds the issues of a project that a text names, such as 12 for `PROJ-12`. A letter or digit right before or after makes it
 * another word.
 * @param anyCase for names of branches, which are mostly written in lower case
 * @returns their numbers, each once, in the order of the text
 */
export function issueNumbersIn(
  text: string,
  projectKey: string,
  { anyCase }: { anyCase: boolean },
): number[] {
  const key = new RegExp(
    `(?<![\\p{L}\\p{N}])${projectKey}-([1-9]\\d{0,8})(?![\\p{L}\\p{N}])`,
    anyCase ? 'giu' : 'gu',
  );
  const found = text.slice(0, SEARCHED_CHARACTERS).matchAll(key);
  return [...new Set([...found].map(([, number]) => Number(number)))];
}
