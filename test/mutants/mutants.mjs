/**
 * Faults that the model test must find, each a change of the built code: `file` below dist/src, and texts that must
 * occur there exactly once, so that a mutant can't outlive the code that it was made for.
 */
export const mutants = [
  {
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
    name: 'closing ignores open dependents',
    file: 'work/issues/issue-status-wish.js',
    changes: [['if (!force)\n            await this.refuseOpenDependents(issue.id);', '']],
  },
];
