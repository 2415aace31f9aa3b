// @ts-check

/**
 * What the demo's board shows: issues of a project whose chain of work is stuck at one review.
 * `by` names the agent, `after` the title of the blocker, `to` where the work got to.
 * @typedef {{ title: string, by?: string, after?: string, priority?: 'low' | 'medium' | 'high' | 'urgent', to?: 'progress' | 'review' | 'resolved' | 'closed', description?: string, comment?: string }} PlannedIssue
 */

export const agents = ['Backend coder', 'Test writer', 'Docs editor', 'Data analyst'];

/** @type {PlannedIssue[]} */
export const issues = [
  {
    title: 'Make refunds idempotent',
    by: 'Backend coder',
    priority: 'high',
    to: 'review',
    description:
      'A refund that is sent twice must be paid once.\n\n- Take a key from the caller and keep it for 30 days.\n- Answer a repeated request with the result of the first one.\n- Cover `POST /refunds` and the nightly batch.',
    comment:
      'Every refund now carries a key of its own; a second call returns what the first one did. 38 tests, none skipped.\n\nOne thing to decide: keys are kept for **30 days**. Finance may want 90.',
  },
  {
    title: 'Post refunds to the ledger once',
    by: 'Backend coder',
    priority: 'high',
    after: 'Make refunds idempotent',
  },
  {
    title: 'Reconcile refunds with the ledger every night',
    by: 'Backend coder',
    priority: 'high',
    after: 'Post refunds to the ledger once',
    description:
      'Every night at 02:00 UTC, compare the refunds of the day with the entries of the ledger and list what differs.\n\n- A difference of one cent is a difference.\n- Write the report to `s3://ledger-reports/refunds/`, one file per day.\n- Post the count to `#payments-ops`, also when it is zero.',
    comment: 'The report needs the ledger ids, so this waits for the posting.',
  },
  {
    title: 'Show pending refunds to support',
    by: 'Docs editor',
    priority: 'medium',
    after: 'Reconcile refunds with the ledger every night',
  },
  {
    title: 'Announce ledger refunds to finance',
    by: 'Docs editor',
    after: 'Reconcile refunds with the ledger every night',
  },
  { title: 'Move refunds to the ledger service', by: 'Backend coder', priority: 'high', to: 'progress' },
  { title: 'Retry declined webhooks with back-off', by: 'Test writer', priority: 'medium', to: 'progress' },
  {
    title: 'Cover partial refunds with tests',
    by: 'Test writer',
    priority: 'medium',
    after: 'Retry declined webhooks with back-off',
  },
  { title: 'Refund fails for cards that were replaced', by: 'Backend coder', priority: 'urgent' },
  { title: 'Warn when a payout is above the limit', by: 'Backend coder', priority: 'medium' },
  { title: 'Explain refund states in the handbook', by: 'Docs editor', priority: 'low' },
  { title: 'Rename “charge” to “payment” in the export' },
  { title: 'Import the chargebacks of 2019', by: 'Data analyst', priority: 'low', to: 'progress' },
  {
    title: 'Chart chargebacks by month',
    by: 'Data analyst',
    priority: 'low',
    after: 'Import the chargebacks of 2019',
  },
  { title: 'Describe the dispute API', by: 'Docs editor', priority: 'medium', to: 'review' },
  { title: 'Log every refund decision', by: 'Backend coder', priority: 'medium', to: 'resolved' },
  { title: 'Seed data for partial refunds', by: 'Test writer', to: 'resolved' },
  { title: 'Pin the time zone in settlement tests', by: 'Test writer', to: 'resolved' },
  { title: 'Name fees in the monthly statement', by: 'Docs editor', to: 'resolved' },
  { title: 'Remove the old refund form', by: 'Backend coder', to: 'closed' },
];

/** The lines of output of a run, one per turn. */
export const steps = [
  'Read the issue and its 2 comments.',
  'Changed src/refunds/post.ts and its test.',
  'npm test: 212 passed, none failed.',
  'Wrote a summary for the issue.',
];

/** What an agent asks a person; the issue waits for the answer. */
export const question = {
  issue: 'Name fees in the next statement',
  by: 'Docs editor',
  ask: {
    question: 'Which name do finance and support use for the fee of a refund?',
    options: ['Refund fee', 'Handling fee'],
    recommended: 'Refund fee',
  },
};

/** What comes in while the board moves. */
export const later = [
  'Round fees the way the ledger does',
  'Mask card numbers in the support view',
  'Send one reminder for an unpaid invoice',
  'Show the reason of a declined payment',
  'Delete drafts of refunds after 30 days',
  'Sort payouts by their value date',
  'Translate the refund e-mail to French',
  'Retry the export when the bucket is busy',
  'Name the acquirer in the dispute form',
  'Count retries of a webhook per day',
  'Warn when two refunds have one reference',
];
