/** The lists of a server that pass through the gateway live: which method gives them, in which member of its result. */
export const LIST_METHODS = {
  prompts: { method: 'prompts/list', member: 'prompts' },
  resources: { method: 'resources/list', member: 'resources' },
  templates: { method: 'resources/templates/list', member: 'resourceTemplates' },
} as const;

export type ListKind = keyof typeof LIST_METHODS;
