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
};

const CALL_START = 'gateway/tool-calls/lease-calls-and-starts.service.js';
const LEASE_TRIGGERS = '../migrations/1763840001000-lease-calls.js';
const MEMBER_TRIGGERS = '../migrations/1763990001000-calls-of-members.js';

/**
 * Bugs that a test must find, each a change of the built code: `file` below dist/src, and texts that must occur
 * there exactly once, so that a mutant cannot outlive the code that it was made for.
 */
export const mutants = [
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
    file: 'work/issue-status/lease-conditions-sql.js',
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
    file: 'work/attachments/attachment.repository.js',
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
    file: 'platform/authentication/access-and-policy.guard.js',
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
    file: 'mcp/processes/connection/open-requests-and-streams.js',
    changes: [['if (others.length > 0)', 'if (false)']],
  },
  {
    test: 'questions',
    name: 'a question is asked after a request of another caller was cancelled',
    file: 'mcp/processes/connection/open-requests-and-streams.js',
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
    file: 'gateway/attention/attention-item.js',
    changes: [['if (rank < rankOf(needsRole))', 'if (false)']],
  },
  {
    test: 'attention',
    name: 'causes of any role are seen by all members of a project',
    file: 'gateway/attention/attention-pages-and-counts-sql.js',
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
    file: 'gateway/calls/ended-lease-refusals.service.js',
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
];
