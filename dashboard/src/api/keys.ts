/** Roots of the query cache's keys, so that the live connection can invalidate without knowing any feature. */
export const keys = {
  me: ['me'],
  projects: ['projects'],
  goals: ['goals'],
  issues: ['issues'],
  issueLists: ['issues', 'list'],
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
} as const satisfies Record<string, readonly string[]>;

/** Everything that one issue's screen shows, under one key; `id` is the issue's id. */
export const issueKey = (id: string) => ['issues', 'one', id] as const;
