import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const API = resolve(import.meta.dirname, '../api');

/**
 * The API tests that `npm test` leaves to `npm run test:slow`, because each starts many processes or needs 10 to 60 s: real
 * package managers, a browser on every screen, drills of operations, attacks. CI runs both. A test of a rule that is
 * easily broken does not belong here.
 */
const SLOW = [
  // Real package managers.
  'mcp/packages',
  'mcp/packages-python',
  'mcp/catalog-check',
  'mcp/catalog-import',
  'mcp/catalog-servers-flow',
  'mcp/installed-servers-flow',
  'mcp/installed-servers-packages',
  'platform/install-over-https',
  // Every screen in a browser. `dashboard/sign-in` stays in `npm test`.
  'dashboard/access-matrix',
  'dashboard/acting',
  'dashboard/approvals',
  'dashboard/board-load',
  'dashboard/credential-sets',
  'dashboard/issues',
  'dashboard/live',
  'dashboard/missing',
  'dashboard/oidc',
  'dashboard/palette',
  'dashboard/remote-sign-in',
  'dashboard/senses',
  'dashboard/servers',
  'dashboard/servers-flow',
  'dashboard/usage',
  'swagger-forms',
  // Drills of operations: backups, keys, starts and stops.
  'demo',
  'docs-commands',
  'mcp/installed-servers-secrets',
  'mcp/oauth-crash',
  'platform/backup',
  'platform/backup-approvals',
  'platform/database-away',
  'platform/database-stops',
  'platform/data-dir-lock',
  'platform/doctor',
  'platform/embedded-postgres',
  'platform/embedded-service-killed',
  'platform/failover',
  'platform/full-disk',
  'platform/json-log',
  'platform/keys-command',
  'platform/keys-embedded',
  'platform/keys-killed',
  'platform/planted-mistakes',
  'platform/pooler',
  // Starts the command eleven times, and kills it twice.
  'platform/archive',
  'platform/retention',
  'platform/secret-files',
  'platform/shutdown',
  'platform/signals',
  'platform/systemd-recipe',
  'platform/shutdown.concurrency',
  'platform/oidc-flow',
  'platform/password-login',
  'platform/topology',
  'platform/topology-failover',
  'platform/two-processes.concurrency',
  'platform/upgrade',
  'work/attachments.two-folders',
  'gateway/mcp-restart',
  'gateway/mcp-two-processes',
  'gateway/tasks-restart',
  'gateway/tools-hosts',
  'gateway/approvals.concurrency',
  'mcp/ended-servers',
  'mcp/processes/bad-processes',
  'mcp/processes/bad-speech',
  'mcp/processes/stopping',
  'mcp/processes/survivors',
  // Attacks and large amounts.
  'gateway/events.concurrency',
  'gateway/lease-keys.concurrency',
  'platform/hostile/malformed-requests',
  'platform/hostile/memory-attacks',
  'platform/hostile/slow-sockets',
  'platform/login-throttle',
  'platform/oidc-attacks',
  'mcp/oauth-sign-in-attacks',
  'mcp/oauth-client-document',
  'platform/access/rights.concurrency',
  'mcp/canary',
  'mcp/oauth-client-credentials',
  'mcp/installed-servers-races.concurrency',
  'mcp/processes/limits',
  'mcp/processes/network',
  'gateway/approvals-late',
  'gateway/heartbeat-wait',
  'gateway/webhooks',
  'mcp/oauth-refresh',
  'gateway/mcp-many',
  'gateway/profiles-many',
  'work/attachments.crashes',
  'work/attachments.downloads',
  'work/attachments.object-store',
  'work/attachments.uploads',
  'work/issues/list-plans',
  // The runner with whole agents.
  'runner/ask',
  'runner/commands',
  'runner/drill',
  'runner/examples',
  'runner/failures',
  'runner/guide-worker',
  'runner/issue-run',
  'runner/long-work',
  'runner/lost-and-shared',
  'runner/runner-process',
];

/** The slow files as patterns of Jest. */
export const SLOW_FILES = SLOW.map((name) => `**/test/api/${name}.api-spec.ts`);

for (const name of SLOW)
  if (!existsSync(join(API, `${name}.api-spec.ts`)))
    throw new Error(`${name} does not exist: correct test/support/slow-files.mjs.`);
