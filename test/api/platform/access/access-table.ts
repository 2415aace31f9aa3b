import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '../../../support/callers.js';

/** A line of docs/access.md. */
export interface AccessRow {
  route: string;
  method: string;
  path: string;
  users: string;
  agents: string;
  cookie: string;
}

/** The owner of the object that a path names, or that no such object exists. */
export type Kind = 'own' | 'foreign' | 'unknown';

/** A caller, as far as the rules distinguish callers. */
export interface Who {
  proof: 'nothing' | 'bad' | 'key' | 'cookie';
  type: 'user' | 'agent';
  role: Role;
  /** The members-only project that the caller is a member of, with the global role. */
  member: 'own' | 'foreign' | null;
}

export type Verdict = 'ok' | 'unauthenticated' | 'forbidden' | 'not_found';

const LADDER = ['Viewer', 'Editor', 'Admin', 'Owner'];
export const rankOf = (role: string): number => LADDER.indexOf(role);

export const accessTable: AccessRow[] = readFileSync(
  join(import.meta.dirname, '../../../../docs/access.md'),
  'utf8',
)
  .split('\n')
  .filter((line) => /^\| (GET|POST|PUT|DELETE) /.test(line))
  .map((line) => {
    const [route, users, agents, cookie] = line
      .split('|')
      .slice(1, 5)
      .map((cell) => cell.trim());
    const [method, path] = route!.split(' ');
    return { route: route!, method: method!, path: path!, users: users!, agents: agents!, cookie: cookie! };
  });

/** Returns what the table says about a call. */
export function verdictOn(row: AccessRow, who: Who, kind: Kind): Verdict {
  if (row.users === 'anyone') return 'ok';
  if (who.proof === 'nothing' || who.proof === 'bad') return 'unauthenticated';
  if (who.proof === 'cookie' && row.cookie === 'no') return 'unauthenticated';
  if (who.type === 'agent') return verdictOnAgent(row, who, kind);
  if (who.proof === 'key' && row.cookie === 'only') return 'forbidden';
  return verdictOnUser(row, who, kind);
}

function verdictOnAgent(row: AccessRow, who: Who, kind: Kind): Verdict {
  if (row.agents === 'no') return 'forbidden';
  if (row.agents === 'itself') return !row.path.includes('{') || kind === who.member ? 'ok' : 'forbidden';
  if (!row.users.includes('there') && row.users !== 'no') return 'ok';
  if (kind !== who.member) return 'not_found';
  return row.agents === 'own' ? 'forbidden' : 'ok';
}

function verdictOnUser(row: AccessRow, who: Who, kind: Kind): Verdict {
  if (row.users === 'no') return 'forbidden';
  if (row.users === 'any') return 'ok';
  if (row.users === 'own') return kind === 'own' ? 'ok' : 'not_found';
  const [role] = row.users.replace(/^(author|owner) or /, '').split(' ') as [Role];
  // A caller who is not the author must be Admin, one who is not the owner Editor. Before either is known, less passes.
  const least = row.users.startsWith('author') ? 'Editor' : row.users.startsWith('owner') ? 'Viewer' : role;
  if (!row.users.includes('there')) return byRole(who, role, kind === 'unknown' ? 'not_found' : 'ok');
  const sees = rankOf(who.role) >= rankOf('Admin') || kind === who.member;
  return kind === 'unknown' || !sees ? byRole(who, least, 'not_found') : byRole(who, role, 'ok');
}

function byRole(who: Who, least: string, otherwise: Verdict): Verdict {
  return rankOf(who.role) < rankOf(least) ? 'forbidden' : otherwise;
}
