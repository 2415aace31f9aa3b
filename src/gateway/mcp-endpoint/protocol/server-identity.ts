import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { VERSION } from '../../../platform/config/version.js';
import { TASKS_EXTENSION } from '../tasks/task-wish.js';

/** How the endpoint presents itself to clients. */
export const IDENTITY = { name: 'agent-work-platform', title: 'Agent Work Platform', version: VERSION };

/** The same for every agent at any time, because a grant may add prompts or resources to a session that has begun. */
const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true },
  completions: {},
};

/** A session has a stream, which also carries notifications of single resources. */
export const SESSION_CAPABILITIES = { ...CAPABILITIES, resources: { listChanged: true, subscribe: true } };

/** Returns what a server for this caller declares. A lease key ends with the wait of its call, so it has no tasks. */
export function capabilitiesOf(era: 'session' | 'stateless', { lease }: Pick<AgentPrincipal, 'lease'>) {
  if (lease) return era === 'session' ? SESSION_CAPABILITIES : CAPABILITIES;
  return era === 'session'
    ? { ...SESSION_CAPABILITIES, tasks: { cancel: {}, requests: { tools: { call: {} } } } }
    : { ...CAPABILITIES, extensions: { [TASKS_EXTENSION]: {} } };
}
