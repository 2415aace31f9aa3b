import { VERSION } from '../../../platform/config/version.js';

/** How the endpoint presents itself to clients. */
export const IDENTITY = { name: 'agent-work-platform', title: 'Agent Work Platform', version: VERSION };

/** The same for every agent at any time, because a grant may add prompts or resources to a session that has begun. */
export const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true },
  completions: {},
};

/** The capabilities of a session, whose stream also carries notifications of single resources. */
export const SESSION_CAPABILITIES = {
  ...CAPABILITIES,
  resources: { listChanged: true, subscribe: true },
};
