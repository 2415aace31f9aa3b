/** The lists that the gateway requests from servers: their method, and the member of the result that contains the items. */
export const LIST_METHODS = {
  prompts: { method: 'prompts/list', member: 'prompts' },
  resources: { method: 'resources/list', member: 'resources' },
  templates: { method: 'resources/templates/list', member: 'resourceTemplates' },
} as const;

export type ListKind = keyof typeof LIST_METHODS;
