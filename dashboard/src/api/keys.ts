/** Roots of the query cache's keys, so that the live connection can invalidate without knowing any feature. */
export const keys = {
  me: ['me'],
  projects: ['projects'],
  goals: ['goals'],
  labels: ['labels'],
  codeHooks: ['code-hooks'],
  views: ['views'],
  schedules: ['schedules'],
  imports: ['imports'],
  issues: ['issues'],
  issueLists: ['issues', 'list'],
  /** Boards. Those on screen read again the cards that events name, not the whole. */
  boards: ['issues', 'board'],
  /** Issues with what others do to them: the status of their links, and why they are stuck. */
  openIssues: ['issues', 'open'],
  agents: ['agents'],
  halt: ['halt'],
  servers: ['servers'],
  catalog: ['catalog'],
  access: ['access'],
  attention: ['attention'],
  audit: ['audit'],
  users: ['users'],
  webhooks: ['webhooks'],
  apiKeys: ['keys'],
  usage: ['usage'],
  calls: ['calls'],
} as const satisfies Record<string, readonly string[]>;

/** What only an issue itself changes, under one key: timeline, comments, files. `id` is the issue's id. */
export const issueKey = (id: string) => ['issues', 'one', id] as const;
