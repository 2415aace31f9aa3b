/** The tests that the mutants are made for. */
export const tests = {
  model: 'api/work/issues/model',
  access: 'api/platform/access',
  uploads: 'api/work/attachments.idempotency',
  approvals: 'api/gateway/approvals.api-spec',
  late: 'api/gateway/approvals-late',
  races: 'api/gateway/approvals.concurrency',
  questions: 'api/gateway/elicitation',
  tasks: 'api/gateway/tasks.api-spec',
  budgets: 'api/gateway/budgets',
  usage: 'api/gateway/usage',
  attention: 'api/gateway/attention',
  leases: 'api/gateway/lease-keys.concurrency',
  code: 'api/work/code/code.api-spec',
  checks: 'api/work/code/checks-gates',
  deliveries: 'api/work/code/code.concurrency',
  imports: 'api/work/imports/imports.api-spec',
  'hostile-imports': 'api/work/imports/imports.hostile.api-spec',
  'crashed-imports': 'api/work/imports/imports.crash.api-spec',
  archives: 'api/work/imports/imports.archive.api-spec',
  'away-stores': 'api/work/imports/hanging-store.api-spec',
  schedules: 'api/work/schedules.api-spec',
};

/** Those of which a change runs too little: one case in place of all, or eight rounds of a race that few of them lose. */
export const atFullSize = [tests.late, tests.deliveries];

const CALL_START = 'gateway/tool-calls/lease-calls-and-starts.service.js';
const LEASE_TRIGGERS = '../migrations/1763840001000-lease-calls.js';
const APPLICATION = 'work/code/delivery-application.service.js';
const DELIVERIES = 'work/code/code-deliveries.service.js';
const CHECKS_GATES = 'work/gates/checks-gates.service.js';
const IMPORTED_ISSUES = 'work/imports/import-issues.service.js';
const IMPORTED_LINKS = 'work/imports/import-links.service.js';
const IMPORT_WORKER = 'work/imports/import-job.worker.js';
const IMPORT_REPOSITORY = 'work/imports/import.repository.js';
const IMPORTED_ATTACHMENTS = 'work/imports/import-attachments.service.js';
const DUE_SCHEDULES = 'work/schedules/one-issue-per-due-time.worker.js';
const MEMBER_TRIGGERS = '../migrations/1763990001000-calls-of-members.js';

/**
 * Bugs that a test must find, each a change of the built code: `file` below dist/src, and texts that must occur
 * there exactly once, so that a mutant cannot outlive the code that it was made for.
 */
export const mutants = [
  {
    test: 'questions',
    name: 'a process does not hear what others learn of a session',
    file: 'gateway/mcp-protocol/session-relay.service.js',
    changes: [['this.news.next(news);', '']],
  },
  {
    test: 'model',
    name: 'a second blocker is ignored: an issue that loses one blocker is unblocked',
    file: 'work/issue-status/issue-dependencies.repository.js',
    changes: [
      ["i.status = 'WaitingOnDependency' AND NOT ${isBlocked('i.id')}", "i.status = 'WaitingOnDependency'"],
    ],
  },
  {
    test: 'model',
    name: 'reopening a blocker does not block its dependents',
    file: 'work/issue-status/status-changes.service.js',
    changes: [['await this.holdDependents(before.id, why);', '']],
  },
  {
    test: 'model',
    name: 'the check for cycles misses links spelled BlockedBy',
    file: 'work/links/links.service.js',
    changes: [
      [
        "return { source: target, target: issue, linkType: 'Blocks' };",
        "return { source: { ...target, spelledBlockedBy: true }, target: issue, linkType: 'Blocks' };",
      ],
      [
        'await refuseCycle(this.dependencies, source, target);',
        'if (!source.spelledBlockedBy) await refuseCycle(this.dependencies, source, target);',
      ],
    ],
  },
  {
    test: 'model',
    name: 'paused work is picked up',
    file: 'work/issue-status/lease-conditions-lengths-and-usage.repository.js',
    changes: [['AND NOT i.paused AND ${seenByAgent', 'AND ${seenByAgent']],
    also: {
      file: 'work/issue-status/issue-status.js',
      changes: [
        [
          "{ trigger: 'pickUp', from: ['Open'], to: 'InProgress', paused: false }",
          "{ trigger: 'pickUp', from: ['Open'], to: 'InProgress' }",
        ],
      ],
    },
  },
  {
    test: 'model',
    name: 'closing ignores open dependents',
    file: 'work/issue-status/status-puts-and-closes.service.js',
    changes: [['if (!force) {\n            await this.refuseOpen(issue.id);', 'if (!force) {']],
  },
  {
    test: 'model',
    name: 'closing ignores open children',
    file: 'work/issue-status/status-puts-and-closes.service.js',
    changes: [['if (children.length > 0)\n            throw new OpenChildren(children);', '']],
  },
  {
    test: 'model',
    name: 'a parent whose last child moves away goes on waiting',
    file: 'work/issues/issue-parents.service.js',
    changes: [['if (old && !(holds && old === parent))', 'if (false)']],
  },
  {
    test: 'model',
    name: 'parents close a circle with blockers',
    file: 'work/issues/issue-parents.service.js',
    changes: [['await refuseCycle(this.dependencies, child, parent);', '']],
  },
  {
    test: 'uploads',
    name: 'the bytes of a repeated upload stay',
    file: 'work/attachments/attachment-upload.service.js',
    changes: [['else\n                await this.undo(id);', '']],
  },
  {
    test: 'uploads',
    name: 'the bytes of a refused upload stay',
    file: 'work/attachments/attachment-upload.service.js',
    changes: [['catch (error) {\n            await this.undo(id);', 'catch (error) {']],
  },
  {
    test: 'access',
    name: 'the audit is open to Editors',
    file: 'platform/audit/audit.controller.js',
    changes: [["Allow({ role: 'Admin' })", "Allow({ role: 'Editor' })"]],
  },
  {
    test: 'access',
    name: 'a route has no policy, so the service does not start',
    file: 'platform/audit/audit.controller.js',
    changes: [["Allow({ role: 'Admin' }),", '']],
  },
  {
    test: 'access',
    name: 'attachments are found without regard to their project',
    file: 'work/attachments/attachments.service.js',
    changes: [
      [
        'WHERE a.id = $1 AND ${visibility.seen}',
        'WHERE a.id = $1 AND ($2::uuid IS NULL OR $3::int IS NOT NULL)',
      ],
    ],
  },
  {
    test: 'access',
    name: 'a cookie is accepted under /api/mcp',
    file: 'platform/authentication/access.guard.js',
    changes: [['token !== null && policy.bearerOnly', 'false']],
  },
  {
    test: 'access',
    name: 'a user can delete any key by its id',
    file: 'platform/authentication/api-key.repository.js',
    changes: [['WHERE id = $1 AND ${column} = $2', 'WHERE id = $1 AND $2::text IS NOT NULL']],
  },
  {
    test: 'approvals',
    name: 'people see the credentials among the arguments of a call',
    file: 'gateway/calls/masked-arguments.js',
    changes: [['return shown(given);', 'return given;']],
  },
  {
    test: 'approvals',
    name: 'an Editor answers a gate that demands an Admin',
    file: 'work/gates/gates.service.js',
    changes: [['gate.callerRank < rankOf(needed)', 'false']],
  },
  {
    test: 'approvals',
    name: 'the sealed arguments of a call stay once it is over',
    file: 'gateway/approvals/approved-executions.service.js',
    changes: [['await this.args.delete(gate.id);', '']],
    also: {
      file: 'work/gates/sealed-arguments.service.js',
      changes: [["g.state <> 'open'", 'false']],
    },
  },
  {
    test: 'late',
    name: 'a late approval releases its issue before the call was executed',
    file: 'gateway/approvals/answers-and-due-executions.worker.js',
    changes: [['return { keepsHolding: true };', 'return {};']],
  },
  {
    test: 'late',
    name: 'a call is executed with a grant that is newer than its request',
    file: 'gateway/approvals/approved-call-start.service.js',
    changes: [['OR a.granted_at IS DISTINCT FROM ap.granted_at', '']],
  },
  {
    test: 'late',
    name: 'a call is executed whose tool has changed since it was asked for',
    file: 'gateway/approvals/approved-call-start.service.js',
    changes: [['t.hash IS DISTINCT FROM ap.tool_hash', 'false']],
  },
  {
    test: 'races',
    name: 'a gate that is closed can be answered again',
    file: 'work/gates/gate.repository.js',
    changes: [["where({ id, state: 'open' })", 'where({ id })']],
    also: {
      file: 'work/gates/gate-closing.service.js',
      changes: [["update({ id, state: 'open' }", 'update({ id }']],
    },
  },
  {
    test: 'races',
    name: 'an approved call begins without a look at its conditions',
    file: 'gateway/approvals/approved-call-start.service.js',
    changes: [['if (reason !== null)', 'if (false)']],
  },
  {
    test: 'questions',
    name: 'a question is asked about the first of several requests that run',
    file: 'mcp/processes/connection/server-questions-and-resource-streams.js',
    changes: [['if (others.length > 0)', 'if (false)']],
  },
  {
    test: 'questions',
    name: 'a question is asked after a request of another caller was cancelled',
    file: 'mcp/processes/connection/server-questions-and-resource-streams.js',
    changes: [['.some((caller) => caller !== request.caller)', '.some(() => false)']],
  },
  {
    test: 'tasks',
    name: 'an agent reads the task of another one',
    file: 'gateway/approvals/tasks.service.js',
    changes: [['gate.agentId !== agent.id || ', '']],
  },
  {
    test: 'tasks',
    name: 'the result of a task is not kept where a caller receives it',
    file: 'gateway/approvals/waiting-and-parked-calls.service.js',
    changes: [['isGone || (await this.approvals.isPolled(gate.id))', 'isGone']],
  },
  {
    test: 'budgets',
    name: 'budgets are not locked while a call is counted',
    file: 'work/budgets/budget.repository.js',
    changes: [['ORDER BY scope_id FOR UPDATE', 'ORDER BY scope_id']],
  },
  {
    test: 'usage',
    name: 'a repeated report counts again',
    file: 'work/usage/usage-reports.service.js',
    changes: [['isNew.delete(reportId)', 'true']],
  },
  {
    test: 'attention',
    name: 'an action is offered to a caller without the right to it',
    file: 'gateway/attention/attention-texts-and-actions.js',
    changes: [['if (rank < rankOf(needsRole))', 'if (false)']],
  },
  {
    test: 'attention',
    name: 'causes of any role are seen by all members of a project',
    file: 'gateway/attention/attention-pages-counts-and-snoozes-sql.js',
    changes: [['THEN mine.rank >= r.least', 'THEN mine.rank IS NOT NULL']],
  },
  {
    test: 'leases',
    name: 'a call begins without a look at its lease',
    file: CALL_START,
    changes: [['if (isOver(standings[at], entrant.heedsHalt))', 'if (false)']],
  },
  {
    test: 'leases',
    name: 'a call begins although its agent is halted or disabled',
    file: CALL_START,
    changes: [['return !good || (heedsHalt && suspended !== null);', 'return !good;']],
  },
  {
    test: 'leases',
    name: 'a call begins without the locks that its end waits for',
    file: CALL_START,
    changes: [['await this.standings.holdOff(leases)', 'leases.map(() => true)']],
  },
  {
    test: 'leases',
    name: 'a call begins although it did not get the locks',
    file: CALL_START,
    changes: [['else if (held[at])', 'else if (true)']],
  },
  {
    test: 'leases',
    name: 'a call looks at its lease before it has the locks',
    file: CALL_START,
    changes: [
      [
        'const held = await this.standings.holdOff(leases);',
        'const early = await this.standings.read(leases);\n        const held = await this.standings.holdOff(leases);',
      ],
      ['const standings = await this.standings.read(leases);', 'const standings = early;'],
    ],
  },
  {
    test: 'leases',
    name: 'an ended lease does not wait for calls',
    file: LEASE_TRIGGERS,
    changes: [['(OLD.expires_at IS NOT NULL AND NEW.expires_at IS NULL)', 'false']],
  },
  {
    test: 'leases',
    name: 'a deleted lease does not wait for calls',
    file: LEASE_TRIGGERS,
    changes: [
      [
        "FOR EACH ROW EXECUTE FUNCTION stop_new_calls('calls of lease",
        "FOR EACH ROW WHEN (false) EXECUTE FUNCTION stop_new_calls('calls of lease",
      ],
    ],
  },
  {
    test: 'leases',
    name: 'disabling an agent does not wait for calls',
    file: LEASE_TRIGGERS,
    changes: [['WHEN (NEW.disabled AND NOT OLD.disabled)', 'WHEN (false)']],
  },
  {
    test: 'leases',
    name: 'the halt does not wait for calls',
    file: LEASE_TRIGGERS,
    changes: [['WHEN (NEW.halted AND NOT OLD.halted)', 'WHEN (false)']],
  },
  {
    test: 'leases',
    name: 'the removal of an agent from a project does not wait for calls',
    file: MEMBER_TRIGGERS,
    changes: [['WHEN (OLD.agent_id IS NOT NULL)', 'WHEN (false)']],
  },
  {
    test: 'leases',
    name: 'a project that is closed does not wait for calls',
    file: MEMBER_TRIGGERS,
    changes: [["WHEN (OLD.visibility = 'open' AND NEW.visibility <> 'open')", 'WHEN (false)']],
  },
  {
    test: 'code',
    name: 'a delivery is accepted with any signature',
    file: DELIVERIES,
    changes: [['if (!hook || !isSigned) {', 'if (!hook) {']],
  },
  {
    test: 'code',
    name: 'an unknown hook is answered in another way',
    file: DELIVERIES,
    changes: [
      [
        'if (!hook || !isSigned) {',
        "if (!hook) throw new Problem('not_found', 'x');\n        if (!isSigned) {",
      ],
    ],
  },
  {
    test: 'code',
    name: 'refused deliveries are not counted',
    file: DELIVERIES,
    changes: [['await this.rate.countRefused(hookId);', '']],
  },
  {
    test: 'code',
    name: 'a larger body is read',
    file: DELIVERIES,
    changes: [
      [
        'const limit = this.settings.limits.codeDeliveryMaxBytes;',
        'const limit = 2 * this.settings.limits.codeDeliveryMaxBytes;',
      ],
    ],
  },
  {
    test: 'code',
    name: 'a repeated delivery is applied again',
    file: DELIVERIES,
    changes: [['return made.length === 1;', 'return true;']],
  },
  {
    test: 'code',
    name: 'a delivery of any repository is applied',
    file: DELIVERIES,
    changes: [
      ['if (repository === null || !hook.repositories.includes(repository))', 'if (repository === null)'],
    ],
  },
  {
    test: 'code',
    name: 'one delivery links any number of issues',
    file: APPLICATION,
    changes: [['found.slice(0, KEYS_PER_DELIVERY)', 'found']],
  },
  {
    test: 'code',
    name: 'an older report of a pull request is applied',
    file: 'work/code/code.repository.js',
    changes: [['kept.source_at > one.at', 'false']],
  },
  {
    test: 'code',
    name: 'an older report of a check is applied',
    file: 'work/code/code.repository.js',
    changes: [["WHERE kept.at < excluded.at OR (kept.at = excluded.at AND excluded.state <> 'pending')", '']],
  },
  {
    test: 'code',
    name: 'a text of an outsider counts',
    file: APPLICATION,
    changes: [['counts: isTrusted', 'counts: true']],
  },
  {
    test: 'code',
    name: 'an agent links code to issues of others',
    file: 'work/code/code-links.service.js',
    changes: [['requireAssigned(caller.id, locked);', '']],
  },
  {
    test: 'code',
    name: 'an agent removes links of others',
    file: 'work/code/code-links.service.js',
    changes: [["if (caller.type === 'agent' && seen.createdById !== caller.id)", 'if (false)']],
  },
  {
    test: 'code',
    name: 'an issue has any number of links',
    file: 'work/code/code.repository.js',
    changes: [['if (full.full)', 'if (false)']],
  },
  {
    test: 'code',
    name: 'the secret of a hook is stored as it is',
    file: 'work/code/code-hooks-and-signatures.service.js',
    changes: [['this.encryption.seal(secret, contextOf(id))', 'secret']],
  },
  {
    test: 'checks',
    name: 'a gate looks at links of outsiders',
    file: CHECKS_GATES,
    changes: [
      [
        "const pulls = code.filter(({ kind, counts }) => kind === 'pull_request' && counts);",
        "const pulls = code.filter(({ kind }) => kind === 'pull_request');",
      ],
    ],
  },
  {
    test: 'checks',
    name: 'a gate passes when one of several pull requests passes',
    file: CHECKS_GATES,
    changes: [
      ["open.every(({ checks }) => checks === 'passing')", "open.some(({ checks }) => checks === 'passing')"],
    ],
  },
  {
    test: 'checks',
    name: 'failed checks end no gate',
    file: CHECKS_GATES,
    changes: [
      ["if (open.some(({ checks }) => checks === 'failing'))", 'if (false)'],
      ["if (checks === 'failing')", 'if (false)'],
    ],
  },
  {
    test: 'checks',
    name: 'a gate of checks that have ended holds the issue',
    file: CHECKS_GATES,
    changes: [['return { holds: found.reason === null };', 'return { holds: true };']],
  },
  {
    test: 'checks',
    name: 'any agent opens a gate of checks',
    file: CHECKS_GATES,
    changes: [['await refuseWorkOfOthers(this.leaseCheck, caller, locked, leaseToken);', '']],
  },
  {
    test: 'checks',
    name: 'a gate waits for code of another issue',
    file: CHECKS_GATES,
    changes: [['refuseUnfit(awaited, found.code);', '']],
  },
  {
    test: 'checks',
    name: 'a gate outlives the link that it waits for',
    file: CHECKS_GATES,
    changes: [['if (codeId !== null && codeId === removed)', 'if (false)']],
  },
  {
    test: 'checks',
    name: 'the outcome is not handed to the agent',
    file: 'work/gates/gate.repository.js',
    changes: [["kind IN ('question', 'approval', 'checks')", "kind IN ('question', 'approval')"]],
  },
  {
    test: 'checks',
    name: 'a gate of checks is an item of attention',
    file: 'gateway/attention/causes-sql.js',
    changes: [["AND g.kind <> 'checks' ", '']],
  },
  {
    test: 'checks',
    name: 'gates of checks count as questions',
    file: 'work/gates/gate-opening.service.js',
    changes: [
      ['NEEDS_PEOPLE.has(gate.kind)', "gate.kind !== 'budget'"],
      ['kind: In([...NEEDS_PEOPLE])', "kind: Not('budget')"],
    ],
  },
  {
    test: 'deliveries',
    name: 'deliveries of one hook are applied at once',
    file: DELIVERIES,
    changes: [
      [
        'const [rows] = await this.source.query(`UPDATE',
        "const all = await this.source.query('SELECT p.key FROM code_hooks h JOIN projects p ON p.id = h.project_id WHERE h.id = $1', [id]);\n        if (all.length > 0)\n            return all[0].key;\n        const [rows] = await this.source.query(`UPDATE",
      ],
    ],
  },
  {
    test: 'deliveries',
    name: 'nothing of deliveries is swept',
    file: DELIVERIES,
    changes: [["received_at < now() - interval '${KNOWN_DAYS} days'", 'false']],
  },
  {
    test: 'imports',
    name: 'an import makes a circle of blockers',
    file: IMPORTED_LINKS,
    changes: [['await refuseCycle(this.dependencies, source, target);', '']],
  },
  {
    test: 'imports',
    name: 'an import makes a circle of parents',
    file: IMPORTED_LINKS,
    changes: [['await this.parents.refuse(source,', 'void (source,']],
  },
  {
    test: 'imports',
    name: 'imported issues do not wait for their blockers',
    file: IMPORTED_LINKS,
    changes: [['if (linked.size > 0)', 'if (false)']],
  },
  {
    test: 'imports',
    name: 'a repeated import changes what has not changed at its source',
    file: IMPORTED_ISSUES,
    changes: [['if (present && isWritten(job, present, digestOf(item)))', 'if (false)']],
  },
  {
    test: 'imports',
    name: 'an end that has to wait is never tried again',
    file: IMPORTED_ISSUES,
    changes: [
      ['return isLast && !(await this.endLate(job, outcome, mayGoOn)) ? null : outcome;', 'return outcome;'],
    ],
  },
  {
    test: 'imports',
    name: 'a repeated import moves a part back',
    file: IMPORTED_LINKS,
    changes: [['if (isInPlace(job, item, known, places))', 'if (false)']],
  },
  {
    test: 'imports',
    name: 'an agent has work begun without a lease',
    file: IMPORTED_ISSUES,
    changes: [["item.status === 'InProgress' && isWithAgent", 'false']],
  },
  {
    test: 'imports',
    name: 'an import goes on for a person who is disabled',
    file: IMPORT_WORKER,
    changes: [['if (!user || user.disabledAt !== null)', 'if (!user)']],
  },
  {
    test: 'imports',
    name: 'an Editor imports',
    file: 'work/imports/imports.service.js',
    changes: [
      [
        "const project = await this.projects.get(caller, projectId, 'Admin');\n        const most = requireFile",
        "const project = await this.projects.get(caller, projectId, 'Editor');\n        const most = requireFile",
      ],
      [
        "const again = await this.projects.get(caller, projectId, 'Admin');",
        "const again = await this.projects.get(caller, projectId, 'Editor');",
      ],
    ],
  },
  {
    test: 'imports',
    name: 'an export has links to issues of other projects',
    file: 'work/imports/export-lines-sql.js',
    changes: [[' AND t.project_id = i.project_id', '']],
  },
  {
    test: 'deliveries',
    name: 'a delivery goes on without the lock of an issue that was linked meanwhile',
    file: APPLICATION,
    changes: [['throw new TryAgain();', '']],
  },
  {
    test: 'code',
    name: 'a push counts by the time of its commit alone',
    file: 'work/code/code.repository.js',
    changes: [['AND ${FOLLOWS} IS NOT TRUE', '']],
  },
  {
    test: 'imports',
    name: 'an import assigns issues that were there before',
    file: IMPORTED_LINKS,
    changes: [['issue && isFresh(job, issue)', 'issue']],
  },
  {
    test: 'imports',
    name: 'two lines with one id make two issues',
    file: IMPORTED_ISSUES,
    changes: [['lastOfEach(issuesIn(batch))', 'issuesIn(batch)']],
  },
  {
    test: 'imports',
    name: 'an object that was deleted here stays so',
    file: IMPORT_REPOSITORY,
    changes: [['o JOIN ${table} made ON', 'o LEFT JOIN ${table} made ON']],
  },
  {
    test: 'imports',
    name: 'an import goes on that another process has taken over',
    file: IMPORT_REPOSITORY,
    changes: [['if (changed === 0)\n            throw new ClaimLost();', '']],
  },
  {
    test: 'imports',
    name: 'a project has any number of imports that run',
    file: 'work/imports/imports.service.js',
    changes: [['if (unfinished >= MOST_UNFINISHED)', 'if (false)']],
  },
  {
    test: 'imports',
    name: 'any number of exports are written at once',
    file: 'work/imports/project-export.service.js',
    changes: [['if (this.running >= MOST_AT_ONCE)', 'if (false)']],
  },
  {
    test: 'imports',
    name: 'an open part is left out where its parent is closed',
    file: IMPORTED_LINKS,
    changes: [["{ ...target, status: 'Open' }", 'target']],
  },
  {
    test: 'imports',
    name: 'a repeated import writes comments that have not changed',
    file: IMPORTED_LINKS,
    changes: [['if (present?.digest === digest)', 'if (false)']],
  },
  {
    test: 'hostile-imports',
    name: 'two imports of one project run at once',
    file: IMPORT_REPOSITORY,
    changes: [["other.state = 'running' AND other.claimed_until >= now()", 'false']],
  },
  {
    test: 'hostile-imports',
    name: 'files that arrive at once are not counted',
    file: 'work/imports/imports.service.js',
    changes: [['await this.refuseTooMany(again.id);', '']],
  },
  {
    test: 'hostile-imports',
    name: 'a claim ends while a file is read',
    file: IMPORT_WORKER,
    changes: [['this.progress.renew(row)', 'Promise.resolve()']],
  },
  {
    test: 'hostile-imports',
    name: 'an attempt ends with its claim where another client holds a lock',
    file: IMPORT_WORKER,
    changes: [['if (!isTemporary(error) ||', 'if (true ||']],
  },
  {
    test: 'hostile-imports',
    name: 'a claim counts from the begin of a batch',
    file: IMPORT_REPOSITORY,
    changes: [['clock_timestamp() + interval', 'now() + interval']],
  },
  {
    test: 'crashed-imports',
    name: 'a process that stood still writes beside the one that took its import over',
    file: IMPORT_REPOSITORY,
    changes: [['WHERE id = $1 AND claim = $2 AND', 'WHERE id = $1 AND $2::uuid IS NOT NULL AND']],
  },
  {
    test: 'hostile-imports',
    name: 'an import goes on whose person is disabled in the middle',
    file: IMPORT_WORKER,
    changes: [['Object.assign(job, await this.rightsOf(job.row));', '']],
  },
  {
    test: 'hostile-imports',
    name: 'an export makes everything again in its own project',
    file: IMPORT_REPOSITORY,
    changes: [['made.id = ANY($4::uuid[])', '$4::uuid[] IS NULL']],
  },
  {
    test: 'hostile-imports',
    name: 'an import finds objects of other projects by their ids',
    file: IMPORT_REPOSITORY,
    changes: [['AND ${ofProject}', '']],
  },
  {
    test: 'archives',
    name: 'bytes that are not those of the export are kept',
    file: IMPORTED_ATTACHMENTS,
    changes: [['if (sha256 !== null && sha256.toLowerCase() !== received.sha256)', 'if (false)']],
  },
  {
    test: 'archives',
    name: 'a file of an archive may be of any size',
    file: IMPORTED_ATTACHMENTS,
    changes: [['if (file.size > this.settings.attachmentMaxBytes)', 'if (false)']],
  },
  {
    test: 'archives',
    name: 'an archive brings its files twice',
    file: IMPORTED_ATTACHMENTS,
    changes: [['if (await this.isThere(issue, item))', 'if (false)']],
  },
  {
    test: 'archives',
    name: 'files that were brought are brought again after a kill',
    file: IMPORTED_ATTACHMENTS,
    changes: [
      ['const isDone = place <= row.position', 'const isDone = false'],
      ['if (await this.isThere(issue, item))', 'if (false)'],
    ],
  },
  {
    test: 'archives',
    name: 'an archive that ends too early is not reported',
    file: IMPORTED_ATTACHMENTS,
    changes: [['if (!isWhole)', 'if (false)']],
  },
  {
    test: 'away-stores',
    name: 'a store that is away ends the attempt of an import',
    file: IMPORT_WORKER,
    changes: [['error instanceof Problem ? error.status === 503', 'error instanceof Problem ? false']],
  },
  {
    test: 'away-stores',
    name: 'an import that cannot be done is begun for ever',
    file: IMPORT_WORKER,
    changes: [['if (row.attempts > MOST_ATTEMPTS)', 'if (false)']],
  },
  {
    test: 'schedules',
    name: 'two processes act on a due time without the lock of its schedule',
    file: 'work/schedules/schedule.repository.js',
    changes: [[".setLock('pessimistic_write')\n            .setOnLocked('skip_locked')", '']],
  },
  {
    test: 'schedules',
    name: 'a due time has no key',
    file: DUE_SCHEDULES,
    changes: [
      [
        'if (!(await this.schedules.takeDueTime(schedule.id, dueAt, outcome)))',
        'if (!(await this.schedules.takeDueTime(schedule.id, dueAt, outcome)) && false)',
      ],
    ],
  },
  {
    test: 'model',
    name: 'a schedule creates an issue although its last one is unresolved',
    file: DUE_SCHEDULES,
    changes: [["schedule.policy === 'skip' ?", 'false ?']],
  },
  {
    test: 'model',
    name: 'a schedule that replaces its last issue leaves it open',
    file: 'work/schedules/schedule-templates-and-editor-rights.service.js',
    changes: [["schedule.policy === 'replace' ?", 'false ?']],
  },
];
