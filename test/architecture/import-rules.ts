import { dirname, join } from 'node:path';

/** What each module may import besides itself and the layers below it. */
const MODULES: Record<string, string[]> = {
  'platform/concurrency': [],
  'platform/exit': [],
  'platform/config': ['platform/exit'],
  'platform/json': [],
  'platform/http': ['platform/json'],
  'platform/tracing': ['platform/concurrency', 'platform/config', 'platform/http'],
  'platform/database': [
    'platform/concurrency',
    'platform/config',
    'platform/exit',
    'platform/json',
    'platform/tracing',
  ],
  'platform/encryption': ['platform/config', 'platform/exit'],
  'platform/failures': [],
  'platform/processes': ['platform/config', 'platform/logging', 'platform/start'],
  'platform/journal': ['platform/concurrency', 'platform/database', 'platform/failures'],
  'platform/authentication': [
    'platform/chores',
    'platform/config',
    'platform/database',
    'platform/encryption',
    'platform/http',
    'platform/journal',
  ],
  'platform/chores': ['platform/config', 'platform/failures'],
  'platform/passwords': [
    'platform/authentication',
    'platform/chores',
    'platform/concurrency',
    'platform/config',
    'platform/database',
    'platform/http',
    'platform/journal',
  ],
  'platform/users': [
    'platform/authentication',
    'platform/chores',
    'platform/config',
    'platform/database',
    'platform/http',
    'platform/journal',
    'platform/passwords',
  ],
  'platform/oidc': [
    'platform/authentication',
    'platform/chores',
    'platform/config',
    'platform/database',
    'platform/http',
    'platform/journal',
    'platform/users',
  ],
  'platform/health': [
    'platform/authentication',
    'platform/chores',
    'platform/config',
    'platform/database',
    'platform/encryption',
    'platform/failures',
    'platform/http',
    'platform/journal',
  ],
  'platform/partitions': ['platform/chores', 'platform/config', 'platform/database'],
  'platform/embedded-postgres': ['platform/exit'],
  'platform/start': ['platform/config', 'platform/database', 'platform/embedded-postgres', 'platform/exit'],
  'platform/idempotency': [
    'platform/authentication',
    'platform/chores',
    'platform/database',
    'platform/encryption',
    'platform/http',
    'platform/json',
  ],
  'platform/audit': ['platform/authentication', 'platform/database', 'platform/http', 'platform/journal'],
  'platform/dashboard': ['platform/http'],
  'platform/info': ['platform/authentication', 'platform/config', 'platform/http'],
  'platform/logging': [
    'platform/authentication',
    'platform/config',
    'platform/encryption',
    'platform/exit',
    'platform/http',
    'platform/tracing',
    'platform/users',
  ],
  'platform/openapi': ['platform/authentication', 'platform/config', 'platform/http'],
  agents: [],
  'mcp/catalog': [],
  'mcp/processes': [],
  'mcp/server-records': ['mcp/catalog', 'mcp/processes'],
  'mcp/oauth': ['mcp/catalog', 'mcp/processes', 'mcp/server-records'],
  'mcp/runtime': [],
  'mcp/packages': ['mcp/processes', 'mcp/runtime'],
  'mcp/catalog-imports': ['mcp/catalog', 'mcp/packages', 'mcp/runtime'],
  'mcp/tools-hosts': ['mcp/processes'],
  'mcp/server-processes': [
    'mcp/catalog',
    'mcp/packages',
    'mcp/processes',
    'mcp/server-records',
    'mcp/tools-hosts',
  ],
  'mcp/credentials': ['mcp/catalog', 'mcp/oauth', 'mcp/server-processes', 'mcp/server-records'],
  'mcp/running': [
    'mcp/catalog',
    'mcp/credentials',
    'mcp/oauth',
    'mcp/packages',
    'mcp/processes',
    'mcp/runtime',
    'mcp/server-processes',
    'mcp/server-records',
    'mcp/tools-hosts',
  ],
  'mcp/server-tools': [
    'mcp/processes',
    'mcp/running',
    'mcp/server-processes',
    'mcp/server-records',
    'mcp/tools-hosts',
  ],
  'mcp/installed-servers': [
    'mcp/catalog',
    'mcp/credentials',
    'mcp/oauth',
    'mcp/packages',
    'mcp/processes',
    'mcp/running',
    'mcp/runtime',
    'mcp/server-processes',
    'mcp/server-records',
    'mcp/server-tools',
    'mcp/tools-hosts',
  ],
  'mcp/sign-in': [
    'mcp/catalog',
    'mcp/credentials',
    'mcp/installed-servers',
    'mcp/oauth',
    'mcp/processes',
    'mcp/server-records',
  ],
  'mcp/tools-endpoint': [
    'mcp/catalog',
    'mcp/installed-servers',
    'mcp/packages',
    'mcp/processes',
    'mcp/running',
    'mcp/runtime',
    'mcp/server-processes',
    'mcp/server-tools',
    'mcp/tools-hosts',
  ],
  'mcp/access': ['mcp/installed-servers', 'mcp/processes', 'mcp/server-records', 'mcp/server-tools'],
  'work/projects': [],
  'work/goals': ['work/projects'],
  'work/issue-status': ['work/goals', 'work/projects'],
  'work/links': ['work/issue-status', 'work/projects'],
  'work/labels': ['work/issue-status', 'work/projects'],
  'work/views': ['work/projects'],
  'work/issue-reading': ['work/code', 'work/issue-status', 'work/labels', 'work/links', 'work/projects'],
  'work/leases': ['work/issue-status'],
  'work/issues': [
    'work/issue-reading',
    'work/issue-status',
    'work/labels',
    'work/leases',
    'work/links',
    'work/projects',
  ],
  'work/code': ['work/issue-status', 'work/links', 'work/projects'],
  'work/gates': [
    'work/code',
    'work/issue-reading',
    'work/issue-status',
    'work/issues',
    'work/leases',
    'work/projects',
  ],
  'work/plans': ['work/issue-status', 'work/issues', 'work/labels', 'work/links', 'work/projects'],
  'work/schedules': [
    'work/issue-reading',
    'work/issue-status',
    'work/issues',
    'work/labels',
    'work/plans',
    'work/projects',
  ],
  'work/quotas': [],
  'work/imports': [
    'work/attachments',
    'work/code',
    'work/comments',
    'work/goals',
    'work/issue-status',
    'work/issues',
    'work/labels',
    'work/links',
    'work/projects',
    'work/schedules',
  ],
  'work/usage': ['work/issue-status', 'work/leases', 'work/projects', 'work/quotas'],
  'work/budgets': ['work/gates', 'work/issue-status', 'work/leases', 'work/projects', 'work/usage'],
  'work/comments': ['work/issue-status', 'work/projects', 'work/quotas'],
  'work/attachments': [
    'work/issue-reading',
    'work/issue-status',
    'work/issues',
    'work/projects',
    'work/quotas',
  ],
  'work/runs': ['work/attachments', 'work/issue-status', 'work/leases'],
  'gateway/agent-tools': [],
  'gateway/calls': ['gateway/agent-tools'],
  'gateway/approvals': ['gateway/calls'],
  'gateway/attention': [],
  'gateway/call-history': [],
  'gateway/event-stream': [],
  'gateway/fleet': [],
  'gateway/heartbeat': ['gateway/agent-tools'],
  'gateway/platform-tools': ['gateway/agent-tools', 'gateway/calls', 'gateway/heartbeat'],
  'gateway/tool-calls': [
    'gateway/agent-tools',
    'gateway/approvals',
    'gateway/calls',
    'gateway/platform-tools',
  ],
  'gateway/server-offers': ['gateway/agent-tools', 'gateway/calls', 'gateway/tool-calls'],
  'gateway/mcp-protocol': [
    'gateway/agent-tools',
    'gateway/approvals',
    'gateway/calls',
    'gateway/server-offers',
    'gateway/tool-calls',
  ],
  'gateway/metrics': [],
  'gateway/webhooks': ['gateway/event-stream'],
};

const LAYERS_BELOW: Record<string, string[]> = {
  platform: [],
  agents: ['platform'],
  mcp: ['platform', 'agents'],
  work: ['platform', 'agents'],
  gateway: ['platform', 'agents', 'mcp', 'work'],
};

/** The text of each source file by its path from the root, such as `src/work/issues/issue-update-version-and-event.service.ts`. */
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
