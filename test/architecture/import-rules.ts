import { dirname, join } from 'node:path';

/** What each room may import, beside itself and the floors below. */
const ROOMS: Record<string, string[]> = {
  'platform/config': [],
  'platform/http': [],
  'platform/encryption': ['platform/config'],
  'platform/logging': ['platform/http', 'platform/encryption', 'platform/auth'],
  'platform/database': ['platform/config'],
  'platform/journal': ['platform/database'],
  'platform/chores': ['platform/database'],
  'platform/audit': ['platform/database', 'platform/http', 'platform/journal', 'platform/auth'],
  'platform/auth': [
    'platform/chores',
    'platform/config',
    'platform/database',
    'platform/http',
    'platform/encryption',
    'platform/journal',
  ],
  'platform/http/idempotency': ['platform/auth', 'platform/chores', 'platform/database', 'platform/http'],
  'platform/openapi': ['platform/http', 'platform/auth'],
  'platform/health': ['platform'],
  agents: [],
  'mcp/catalog': [],
  'mcp/runtime': [],
  'mcp/processes': [],
  'mcp/packages': ['mcp/runtime'],
  'mcp/installed-servers': ['mcp/catalog', 'mcp/runtime', 'mcp/packages', 'mcp/processes'],
  'mcp/access': ['mcp/installed-servers'],
  'work/projects': [],
  'work/goals': ['work/projects'],
  'work/issues': ['work/projects', 'work/goals'],
  'work/links': ['work/issues', 'work/projects'],
  'work/comments': ['work/issues', 'work/projects'],
  'work/attachments': ['work/issues', 'work/projects'],
  'gateway/agent-tools': [],
  'gateway/heartbeat': ['gateway/agent-tools'],
  'gateway/mcp-endpoint': ['gateway/heartbeat', 'gateway/agent-tools'],
  'gateway/events': [],
  'gateway/measures': [],
};

const FLOORS_BELOW: Record<string, string[]> = {
  platform: [],
  agents: ['platform'],
  mcp: ['platform', 'agents'],
  work: ['platform', 'agents'],
  gateway: ['platform', 'agents', 'mcp', 'work'],
};

/** Text of each source file by its path from the root, such as `src/work/issues/issues.service.ts`. */
export type Sources = Record<string, string>;

/** Every breach of the house's rules, one sentence each. */
export function breachesIn(sources: Sources): string[] {
  return Object.entries(sources).flatMap(([file, text]) => [
    ...importsOf(file, text).flatMap((target) => breachOf(file, target)),
    ...(/(^|\/)index\.ts$/.test(file) ? [`${file} is a barrel`] : []),
    ...(/\bforwardRef\b/.test(text) ? [`${file} needs forwardRef`] : []),
    ...(/\bprocess\.env\b/.test(text) && !file.startsWith('src/platform/config/')
      ? [`${file} reads process.env`]
      : []),
  ]);
}

function importsOf(file: string, text: string): string[] {
  const found = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g);
  return [...found].map(([, path]) => join(dirname(file), path!));
}

function breachOf(file: string, target: string): string[] {
  const [from, to] = [roomOf(file), roomOf(target)];
  if (from === to || from === 'app' || file.endsWith('.spec.ts')) return [];
  if (!(from in ROOMS)) return [`${file}: the room ${from} is not in the table`];
  const allowed = [...ROOMS[from]!, ...FLOORS_BELOW[from.split('/')[0]!]!];
  return allowed.some((room) => to === room || to.startsWith(`${room}/`))
    ? []
    : [`${file} imports ${target}`];
}

/** `work/issues`; the longest room that a file lies in. `app` is what puts everything together. */
function roomOf(path: string): string {
  const inside = path.replace(/^src\//, '');
  if (/^(main|app\.[^/]*)\.(ts|js)$/.test(inside)) return 'app';
  const rooms = Object.keys(ROOMS).filter((room) => inside.startsWith(`${room}/`));
  return rooms.toSorted((a, b) => b.length - a.length)[0] ?? inside.split('/').slice(0, 2).join('/');
}
