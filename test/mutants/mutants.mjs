/** The tests that the mutants are made for. */
export const tests = {
  model: 'api/work/issues/model',
  access: 'api/platform/access',
  uploads: 'api/work/attachments.idempotency',
};

/**
 * Bugs that a test must find, each a change of the built code: `file` below dist/src, and texts that must occur
 * there exactly once, so that a mutant cannot outlive the code that it was made for.
 */
export const mutants = [
  {
    test: 'model',
    name: 'a second blocker is ignored: an issue that loses one blocker is unblocked',
    file: 'work/issues/status/issue-dependencies.repository.js',
    changes: [
      ["i.status = 'WaitingOnDependency' AND NOT ${isBlocked('i.id')}", "i.status = 'WaitingOnDependency'"],
    ],
  },
  {
    test: 'model',
    name: 'reopening a blocker does not block its dependents',
    file: 'work/issues/status/status-changes.service.js',
    changes: [['await this.holdDependents(before.id, why);', '']],
  },
  {
    test: 'model',
    name: 'the check for cycles misses links spelled BlockedBy',
    file: 'work/issues/links/issue-links.service.js',
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
    file: 'work/issues/leases/leases.repository.js',
    changes: [['i.assigned_agent_id = $1 AND NOT i.paused', 'i.assigned_agent_id = $1']],
    also: {
      file: 'work/issues/status/issue-status.js',
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
    file: 'work/issues/status/status-change-request.service.js',
    changes: [['if (!force)\n            await this.refuseOpenDependents(issue.id);', '']],
  },
  {
    test: 'uploads',
    name: 'the bytes of a repeated upload stay',
    file: 'work/attachments/upload/attachment-upload.service.js',
    changes: [['else\n                await this.undo(id);', '']],
  },
  {
    test: 'uploads',
    name: 'the bytes of a refused upload stay',
    file: 'work/attachments/upload/attachment-upload.service.js',
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
    file: 'work/attachments/attachments.repository.js',
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
    file: 'platform/auth/access.guard.js',
    changes: [['policy.bearerOnly || ', '']],
  },
  {
    test: 'access',
    name: 'a user can delete any key by its id',
    file: 'platform/auth/keys/api-keys.repository.js',
    changes: [['WHERE id = $1 AND ${column} = $2', 'WHERE id = $1 AND $2::text IS NOT NULL']],
  },
];
