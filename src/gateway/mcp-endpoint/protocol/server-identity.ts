/** How the endpoint presents itself to clients. */
export const IDENTITY = { name: 'agent-work-platform', title: 'Agent Work Platform', version: '0.1.0' };

/** The same for every agent at any time: a grant may bring prompts or resources to a session that has begun. */
export const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true },
  completions: {},
};
