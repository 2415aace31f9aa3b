import { dirname, join } from 'node:path';

/** What each module may import besides itself and the layers below it. */
const MODULES: Record<string, string[]> = {
  'platform/exit': [],
  'platform/failures': [],
  'platform/config': ['platform/exit'],
  'platform/concurrency': [],
  'platform/tracing': ['platform/config', 'platform/http'],
  'platform/json': [],
  'platform/http': ['platform/json'],
  'platform/dashboard': ['platform/http'],
  'platform/encryption': ['platform/config', 'platform/exit'],
  'platform/logging': [
    'platform/exit',
    'platform/http',
    'platform/encryption',
    'platform/auth',
    'platform/tracing',
  ],
  'platform/embedded-postgres': ['platform/config'],
  'platform/database': ['platform/config', 'platform/embedded-postgres', 'platform/json', 'platform/tracing'],
  'platform/start': ['platform/embedded-postgres', 'platform/config', 'platform/database', 'platform/exit'],
  'platform/journal': ['platform/database', 'platform/failures'],
  'platform/chores': ['platform/config', 'platform/database', 'platform/failures'],
  'platform/partitions': ['platform/chores', 'platform/config', 'platform/database'],
  'platform/audit': ['platform/database', 'platform/http', 'platform/journal', 'platform/auth'],
  'platform/auth': [
    'platform/chores',
    'platform/concurrency',
    'platform/config',
    'platform/database',
    'platform/http',
    'platform/encryption',
    'platform/journal',
  ],
  'platform/http/idempotency': [
    'platform/auth',
    'platform/chores',
    'platform/database',
    'platform/encryption',
    'platform/http',
    'platform/json',
  ],
  'platform/openapi': ['platform/config', 'platform/http', 'platform/auth'],
  'platform/health': ['platform'],
  'platform/info': ['platform'],
  agents: [],
  'mcp/catalog': [],
  'mcp/runtime': [],
  'mcp/processes': [],
  'mcp/packages': ['mcp/runtime', 'mcp/processes'],
  'mcp/installed-servers': ['mcp/catalog', 'mcp/runtime', 'mcp/packages', 'mcp/processes'],
  'mcp/access': ['mcp/installed-servers'],
  'work/projects': [],
  'work/quotas': [],
  'work/goals': ['work/projects'],
  'work/issues': ['work/projects', 'work/goals'],
  'work/gates': ['work/issues', 'work/projects'],
  'work/runs': ['work/issues', 'work/projects'],
  'work/comments': ['work/issues', 'work/projects', 'work/quotas'],
  'work/usage': ['work/issues', 'work/projects', 'work/quotas'],
  'work/budgets': ['work/gates', 'work/issues', 'work/projects', 'work/usage'],
  'work/attachments': ['work/issues', 'work/projects', 'work/quotas'],
  'gateway/agent-tools': [],
  'gateway/heartbeat': ['gateway/agent-tools'],
  'gateway/mcp-endpoint': ['gateway/heartbeat', 'gateway/agent-tools'],
  'gateway/call-history': [],
  'gateway/events': [],
  'gateway/metrics': [],
  'gateway/attention': [],
};

const LAYERS_BELOW: Record<string, string[]> = {
  platform: [],
  agents: ['platform'],
  mcp: ['platform', 'agents'],
  work: ['platform', 'agents'],
  gateway: ['platform', 'agents', 'mcp', 'work'],
};

/** The text of each source file by its path from the root, such as `src/work/issues/issues.service.ts`. */
export type Sources = Record<string, string>;

/** Returns every breach of the import rules, one sentence each. */
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

/** The files that a file imports, type imports and `import()` included. */
export function importsOf(file: string, text: string): string[] {
  const found = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g);
  return [...found].map(([, path = '']) => join(dirname(file), path));
}

function breachOf(file: string, target: string): string[] {
  const [from, to] = [moduleOf(file), moduleOf(target)];
  if (from === to || from === 'app' || file.endsWith('.spec.ts')) return [];
  const named = MODULES[from];
  if (!named) return [`${file}: the module ${from} is not in the table`];
  const [layer = ''] = from.split('/');
  const allowed = [...named, ...(LAYERS_BELOW[layer] ?? [])];
  return allowed.some((module) => to === module || to.startsWith(`${module}/`))
    ? []
    : [`${file} imports ${target}`];
}

/** The longest module path that holds a file, such as `work/issues`; `app` for the files that assemble the service. */
function moduleOf(path: string): string {
  const inside = path.replace(/^src\//, '');
  if (/^(main|app\.[^/]*)\.(ts|js)$/.test(inside)) return 'app';
  const modules = Object.keys(MODULES).filter((module) => inside.startsWith(`${module}/`));
  return modules.toSorted((a, b) => b.length - a.length)[0] ?? inside.split('/').slice(0, 2).join('/');
}
