import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * The API tests that `npm test` leaves to `npm run test:slow`, because each starts many processes or needs 10 to 60 s: real
 * package managers, a browser on every screen, commands of operations. CI runs one part of them per day and those that a
 * change edits (decision 0065). A test of a rule that is easily broken does not belong here. The number is the seconds
 * that a file takes beside two others on two processors.
 */
export const SLOW = {
  // Real package managers.
  'mcp/packages': 56,
  'mcp/catalog-check': 21,
  'mcp/catalog-import': 110,
  'mcp/catalog-servers-flow': 2,
  'mcp/installed-servers-packages': 69,
  'platform/install-over-https': 16,
  // Every screen in a browser. `dashboard/sign-in` stays in `npm test`.
  'dashboard/access-matrix': 14,
  'dashboard/acting': 30,
  'dashboard/approvals': 33,
  'dashboard/code': 20,
  'dashboard/credential-sets': 22,
  'dashboard/imports': 20,
  'dashboard/issues': 59,
  'dashboard/labels': 25,
  'dashboard/list-views': 50,
  'dashboard/missing': 11,
  'dashboard/oidc': 15,
  'dashboard/palette': 25,
  'dashboard/plans': 11,
  'dashboard/remote-sign-in': 34,
  'dashboard/runs': 55,
  'dashboard/schedules': 20,
  'dashboard/senses': 29,
  'dashboard/servers': 24,
  'dashboard/servers-flow': 52,
  'dashboard/sub-issues': 18,
  'dashboard/usage': 13,
  // Drills of operations: backups, keys, starts and stops.
  demo: 42,
  'docs-commands': 13,
  'mcp/installed-servers-secrets': 33,
  'platform/backup': 60,
  'platform/command-errors': 7,
  'platform/database-away': 33,
  'platform/connection-limit': 7,
  'platform/data-dir-lock': 13,
  'platform/doctor': 36,
  'platform/embedded-postgres': 15,
  'platform/embedded-service-killed': 16,
  'platform/json-log': 14,
  'platform/keys-command': 19,
  'platform/pooler': 17,
  'platform/processes': 109,
  'platform/processes-faults': 140,
  'platform/archive': 10,
  'platform/restore-drill': 24,
  'platform/retention': 14,
  'platform/secret-files': 23,
  'platform/shutdown': 29,
  'platform/signals': 30,
  'platform/standby-away': 47,
  'platform/systemd-recipe': 41,
  'platform/oidc-flow': 21,
  'platform/packages': 83,
  'platform/password-login': 6,
  'platform/topology': 2,
  'platform/topology-failover': 2,
  'platform/upgrade': 46,
  'platform/upgrade-backup': 59,
  'work/attachments.two-folders': 14,
  'gateway/mcp-restart': 27,
  'gateway/tasks': 38,
  'gateway/tasks-restart': 23,
  'gateway/tools-hosts': 67,
  'mcp/ended-servers': 16,
  'mcp/processes/bad-processes': 19,
  'mcp/processes/bad-speech': 14,
  'mcp/processes/stopping': 12,
  // Starts with other settings, files and databases, and processes that are supervised.
  'platform/key-proof': 17,
  'platform/later-schema': 16,
  'platform/migrate-command': 15,
  'platform/partitions': 15,
  'platform/roles': 14,
  'platform/checkout': 9,
  'platform/embedded-data-folder': 9,
  'platform/embedded-server-killed': 7,
  'platform/image-health': 7,
  'platform/used-up-quota': 7,
  'gateway/webhooks-key-rotation': 9,
  'mcp/process-claims': 11,
  'mcp/processes/control-groups': 8,
  'mcp/processes/system-calls': 6,
  'mcp/processes/remote-supervision': 11,
  'platform/traces': 10,
  'mcp/oauth-lost-client': 14,
  'mcp/oauth-mix-up': 7,
  'mcp/processes/stdio-start': 10,
  'mcp/runtime': 10,
  'gateway/mcp-start-comparison': 11,
  'mcp/processes/sandbox': 13,
  'mcp/server-logs': 11,
  'gateway/mcp-subscriptions': 16,
  'gateway/mcp-fair-calls': 13,
  'mcp/installed-servers-upgrade': 11,
  'gateway/mcp-files': 13,
  'gateway/mcp-equivalence': 17,
  'gateway/elicitation': 15,
  'mcp/installed-servers-tools': 21,
  'platform/https-rule': 9,
  'platform/metrics': 10,
  // Figures over days and months, and what rules of the journal say of each kind of caller.
  'gateway/usage': 15,
  'gateway/call-history': 14,
  'gateway/fleet': 18,
  'platform/access/seen-data': 18,
  'platform/idempotency-routes': 16,
  // Rounds of races. Those of issues, links and the heartbeat stay in `npm test`.
  'work/code/code.concurrency': 14,
  'work/issues/sub-issues.concurrency': 18,
  'work/issues/pool.concurrency': 10,
  'work/plans/plans.concurrency': 12,
  // A process that is killed in the middle of an import, and exports that are compared.
  'work/imports/imports': 24,
  'work/imports/imports.crash': 15,
  'work/imports/imports.commands': 8,
  // Attacks and large amounts.
  'platform/limits': 32,
  'platform/login-throttle': 28,
  'platform/oidc-attacks': 14,
  'mcp/oauth-sign-in-attacks': 13,
  'mcp/oauth-client-document': 6,
  'mcp/oauth-client-credentials': 17,
  'mcp/processes/limits': 24,
  'mcp/processes/network': 21,
  'gateway/approvals-late': 19,
  'gateway/webhooks': 33,
  'gateway/webhooks-backlog': 8,
  'mcp/oauth-refresh': 28,
  'work/attachments.downloads': 39,
  'work/attachments.object-store': 24,
  'work/attachments.uploads': 20,
  // Due times, which processes look for each second.
  'work/schedules': 25,
  // The runner with whole agents.
  'runner/ask': 28,
  'runner/commands': 20,
  'runner/examples': 18,
  'runner/failures': 40,
  'runner/issue-run': 52,
  'runner/runner-process': 24,
};

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
  // Its rules: due-times.spec for the times, work/schedules for one issue per due time of two processes.
  'work/schedules-killed',
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

/** In how many days CI runs all slow files: in those of a week. */
const PARTS = 7;

/** Returns the names of the slow files in parts that take equally long. */
export function slowParts() {
  const parts = Array.from({ length: PARTS }, () => ({ seconds: 0, names: [] }));
  for (const [name, seconds] of Object.entries(SLOW).toSorted(([, one], [, other]) => other - one)) {
    const shortest = parts.reduce((one, other) => (other.seconds < one.seconds ? other : one));
    shortest.seconds += seconds;
    shortest.names.push(name);
  }
  return parts.map(({ names }) => names);
}

export const fileOf = (name) => `test/api/${name}.api-spec.ts`;
const patternOf = (name) => `**/${fileOf(name)}`;
/** The slow files as patterns of Jest, without those of these names. */
export const slowFilesWithout = (names) =>
  Object.keys(SLOW)
    .filter((name) => !names.includes(name))
    .map(patternOf);
export const SLOW_FILES = slowFilesWithout([]);
export const DRILL_FILES = DRILLS.map(patternOf);

for (const name of [...Object.keys(SLOW), ...DRILLS])
  if (!existsSync(join(ROOT, fileOf(name))))
    throw new Error(`${name} does not exist: correct test/support/slow-files.mjs.`);
