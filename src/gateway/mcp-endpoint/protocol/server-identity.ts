/** How the endpoint presents itself to clients. */
export const IDENTITY = { name: 'agent-work-platform', title: 'Agent Work Platform', version: '0.1.0' };

/** The same for every agent at any time: a grant may bring prompts or resources to a session that has begun. */
export const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true },
  completions: {},
};

/** Of a session, whose stream of notices can tell of single resources too. */
export const SESSION_CAPABILITIES = {
  ...CAPABILITIES,
  resources: { listChanged: true, subscribe: true },
};
