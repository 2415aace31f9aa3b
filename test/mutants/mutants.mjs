/** The tests that mutants are made for. */
export const tests = { model: 'api/work/issues/model', access: 'api/platform/access' };

/**
 * Faults that a test must find, each a change of the built code: `file` below dist/src, and texts that must occur
 * there exactly once, so that a mutant can't outlive the code that it was made for.
 */
export const mutants = [
  {
    test: 'model',
    name: 'a second blocker is ignored: whoever loses one blocker goes on',
    file: 'work/issues/issue-dependencies.repository.js',
    changes: [
      [
        "i.status = 'WaitingOnDependency' AND NOT ${HAS_UNRESOLVED_BLOCKER('i.id')}",
        "i.status = 'WaitingOnDependency'",
      ],
    ],
  },
  {
    test: 'model',
    name: 'reopening a blocker does not hold up what it blocks',
    file: 'work/issues/issue-dependencies.js',
    changes: [
      [
        "{ cause: 'still_blocked' });\n        await this.holdDependentsOf(issue.id, why);",
        "{ cause: 'still_blocked' });",
      ],
    ],
  },
  {
    test: 'model',
    name: 'the check for circles misses links spelled BlockedBy',
    file: 'work/issues/issue-links.js',
    changes: [
      [
        "return { source: target, target: issue, linkType: 'Blocks' };",
        "return { source: { ...target, spelledBlockedBy: true }, target: issue, linkType: 'Blocks' };",
      ],
      [
        'await this.dependencies.refuseCircle(source, target);',
        'if (!source.spelledBlockedBy) await this.dependencies.refuseCircle(source, target);',
      ],
    ],
  },
  {
    test: 'model',
    name: 'paused work is picked up',
    file: 'work/issues/leases/leases.repository.js',
    changes: [['i.assigned_agent_id = $1 AND NOT i.paused', 'i.assigned_agent_id = $1']],
    also: {
      file: 'work/issues/issue-status.js',
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
    file: 'work/issues/issue-status-wish.js',
    changes: [['if (!force)\n            await this.refuseOpenDependents(issue.id);', '']],
  },
  {
    test: 'access',
    name: 'the audit is open to Editors: a role on the wrong rung',
    file: 'platform/audit/audit.controller.js',
    changes: [["Allow({ role: 'Admin' })", "Allow({ role: 'Editor' })"]],
  },
  {
    test: 'access',
    name: 'a route has lost its policy: the start is refused',
    file: 'platform/audit/audit.controller.js',
    changes: [["Allow({ role: 'Admin' }),", '']],
  },
  {
    test: 'access',
    name: 'attachments are found past the project that they are in',
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
    name: 'a cookie is taken under /api/mcp too',
    file: 'platform/auth/access.guard.js',
    changes: [['policy.bearerOnly || ', '']],
  },
  {
    test: 'access',
    name: 'whoever has a key may end any key by its id',
    file: 'platform/auth/keys/api-keys.repository.js',
    changes: [['{ ...owner, id: keyId }', '{ id: keyId }']],
  },
];
