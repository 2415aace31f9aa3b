import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const API = resolve(import.meta.dirname, '../api');

/**
 * The API tests that `npm test` leaves to `npm run test:slow`, because each starts many processes or needs 10 to 60 s: real
 * package managers, a browser on every screen, commands of operations. CI runs both. A test of a rule that is
 * easily broken does not belong here.
 */
const SLOW = [
  // Real package managers.
  'mcp/packages',
  'mcp/catalog-check',
  'mcp/catalog-import',
  'mcp/catalog-servers-flow',
  'mcp/installed-servers-packages',
  'platform/install-over-https',
  // Every screen in a browser. `dashboard/sign-in` stays in `npm test`.
  'dashboard/access-matrix',
  'dashboard/acting',
  'dashboard/approvals',
  'dashboard/credential-sets',
  'dashboard/issues',
  'dashboard/missing',
  'dashboard/oidc',
  'dashboard/palette',
  'dashboard/remote-sign-in',
  'dashboard/runs',
  'dashboard/senses',
  'dashboard/servers',
  'dashboard/servers-flow',
  'dashboard/usage',
  // Drills of operations: backups, keys, starts and stops.
  'demo',
  'docs-commands',
  'mcp/installed-servers-secrets',
  'platform/backup',
  'platform/command-errors',
  'platform/database-away',
  'platform/connection-limit',
  'platform/data-dir-lock',
  'platform/doctor',
  'platform/embedded-postgres',
  'platform/embedded-service-killed',
  'platform/json-log',
  'platform/keys-command',
  'platform/pooler',
  'platform/processes',
  'platform/archive',
  'platform/restore-drill',
  'platform/retention',
  'platform/secret-files',
  'platform/shutdown',
  'platform/signals',
  'platform/standby-away',
  'platform/systemd-recipe',
  'platform/oidc-flow',
  'platform/packages',
  'platform/password-login',
  'platform/topology',
  'platform/topology-failover',
  'platform/upgrade',
  'platform/upgrade-backup',
  'work/attachments.two-folders',
  'gateway/mcp-restart',
  'gateway/tasks-restart',
  'gateway/tools-hosts',
  'mcp/ended-servers',
  'mcp/processes/bad-processes',
  'mcp/processes/bad-speech',
  'mcp/processes/stopping',
  // Attacks and large amounts.
  'platform/login-throttle',
  'platform/oidc-attacks',
  'mcp/oauth-sign-in-attacks',
  'mcp/oauth-client-document',
  'mcp/oauth-client-credentials',
  'mcp/processes/limits',
  'mcp/processes/network',
  'gateway/approvals-late',
  'gateway/webhooks',
  'gateway/webhooks-backlog',
  'mcp/oauth-refresh',
  'work/attachments.downloads',
  'work/attachments.object-store',
  'work/attachments.uploads',
  // The runner with whole agents.
  'runner/ask',
  'runner/commands',
  'runner/examples',
  'runner/failures',
  'runner/issue-run',
  'runner/runner-process',
];

/**
 * Drills: moments that are drawn at random, attacks, and sizes. One run of such a file shows little, and many show much,
 * so they run with `npm run test:drills`, each night and before a release (decision 0058). What each proves of a single
 * rule is proven by a faster test too, which is named above it.
 */
const DRILLS = [
  // Their rules: dashboard/issues, acting and palette for the pages; gateway/attention, agents/fleet and work/issues/groups for the service.
  'dashboard/inbox',
  'dashboard/fleet',
  'dashboard/lists',
  'dashboard/away',
  // Its rules: dashboard/issues, acting, approvals, palette, usage and servers-flow, work/explain for the length of a chain.
  'dashboard/ten-tasks',
  // Its rules: demo for the flows, and runner/runner-process for the end of a runner and its agent.
  'demo-ended',
  // Its rules: platform/processes, with one kill of each kind and one replacement.
  'platform/processes-killed',
  // Its rules: platform/processes for a kill under load, the calls and the events; platform/shutdown for acknowledged writes after
  // kill -9; gateway/heartbeat.concurrency for issues that are handed out once; mcp/processes/stopping for what is left.
  'platform/two-processes.concurrency',
  // Its rules: platform/archive.
  'platform/archive-killed',
  // Its rules: platform/limits, frames.spec and slow-readers.spec.
  'platform/hostile/memory-attacks',
  // Its rules: the specs of validation.pipe, json-rules and text-rules.
  'platform/hostile/malformed-requests',
  // Their rules: platform/metrics, and metrics-files.spec for the names in each expression.
  'platform/alerts',
  'platform/alerts-outage',
  // Its rules: mcp/installed-servers-secrets, mcp/server-logs and masking.spec.
  'mcp/canary',
  // Its rules: platform/users, sessions, keys and work/projects/members.
  'platform/access/rights.concurrency',
  // Its rules: runner/issue-run, runner/failures and gateway/heartbeat-leases.
  'runner/drill',
  // Its rules: platform/limits and platform/request-limits.
  'platform/hostile/slow-sockets',
  // Its rules: test/openapi-examples.spec, which checks each example against its schema.
  'swagger-forms',
  // Its rules: mcp/installed-servers, processes/stopping and platform/pool.concurrency.
  'mcp/installed-servers-races.concurrency',
  // Its rules: mcp/processes/stopping.
  'mcp/processes/survivors',
  // Its rules: demo for a server of the registry of npm, mcp/credential-sets for what it keeps in its folder, and
  // mcp/installed-servers-packages for a package that was lost.
  'mcp/installed-servers-flow',
  // Its rules: mcp/packages for each step with npm, catalog-import for one server of PyPI, python-lock.spec and python-environment.spec.
  'mcp/packages-python',
  // Its rules: load-settings.spec, platform/settings, key-proof and doctor.
  'platform/planted-mistakes',
  // Their rules: platform/doctor, which passes a healthy installation and meets one fault of each kind, start-errors.spec and
  // start-checks.spec.
  'platform/doctor/settings-faults',
  'platform/doctor/database-faults',
  'platform/doctor/database-access-faults',
  'platform/doctor/installation-faults',
  'platform/doctor/embedded-faults',
  'platform/doctor/contents-faults',
  'platform/doctor/upkeep-faults',
  'platform/doctor/host-faults',
  'platform/doctor/outside-faults',
  'platform/doctor/provider-and-store-faults',
  // Its rules: mcp/oauth-sign-in for the sign-in, platform/topology for the roles.
  'mcp/sign-in-across-processes',
  // Its rules: mcp/oauth-refresh.
  'mcp/oauth-crash',
  // Its rules: platform/database-away, which stops it once under every kind of work.
  'platform/database-stops',
  // Its rules: platform/database-away.
  'platform/failover',
  // Its rules: platform/read-only-database and write-and-space-checks.service.spec.
  'platform/full-disk',
  // Its rules: platform/shutdown.
  'platform/shutdown.concurrency',
  // Its rules: platform/keys-command, with a database of its own.
  'platform/keys-embedded',
  // Its rules: platform/keys-command.
  'platform/keys-killed',
  // Its rules: platform/backup and gateway/approvals-late.
  'platform/backup-approvals',
  // Its rules: work/attachments.uploads and attachments.two-folders.
  'work/attachments.crashes',
  // Its rules: work/explain, at a smaller size.
  'work/issues/list-plans',
  // Its rules: platform/upgrade for what earlier versions use of the schema, later-schema for what is refused.
  'platform/going-back',
  // Its rules: gateway/mcp-fair-calls and mcp-access.
  'gateway/mcp-many',
  // Its rules: gateway/heartbeat-wait, and heartbeat.concurrency for workers that share issues.
  'gateway/heartbeat-wait-many',
  // Its rules: gateway/mcp-restart, where another process serves a session, and sessions outlive a kill.
  'gateway/mcp-two-processes',
  // Its rules: mcp/profiles.
  'gateway/profiles-many',
  // Its rules: gateway/events.
  'gateway/events.concurrency',
  // Its rules: gateway/approvals and approvals-late.
  'gateway/approvals.concurrency',
  // Its rules: gateway/lease-keys.
  'gateway/lease-keys.concurrency',
  // Its rules: dashboard/acting and issues, which see changes of others too.
  'dashboard/live',
  // Their rules: dashboard/issues.
  'dashboard/board-load',
  'dashboard/large-fleet',
  // Its rules: runner/examples.
  'runner/guide-worker',
  // Its rules: runner/issue-run, runner-process and gateway/heartbeat-instances.
  'runner/lost-and-shared',
  // Its rules: runner/issue-run and gateway/heartbeat-leases.
  'runner/long-work',
  // Its rules: the property tests of definitions (strict-clients.spec), and mcp/odd-definitions.
  'gateway/reported-servers',
];

const patternOf = (name) => `**/test/api/${name}.api-spec.ts`;
/** The files of either kind as patterns of Jest. */
export const SLOW_FILES = SLOW.map(patternOf);
export const DRILL_FILES = DRILLS.map(patternOf);

for (const name of [...SLOW, ...DRILLS])
  if (!existsSync(join(API, `${name}.api-spec.ts`)))
    throw new Error(`${name} does not exist: correct test/support/slow-files.mjs.`);
