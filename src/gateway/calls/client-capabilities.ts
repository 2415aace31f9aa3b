import { isJsonObject } from '../../platform/json/exact-number.js';

type Loose = Record<string, unknown>;

const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** Returns what the client of a request of 2026-07-28 declares. @param meta `_meta` of the request */
export function capabilitiesIn(meta: unknown): Loose {
  const capabilities = isJsonObject(meta) ? meta[CLIENT_CAPABILITIES] : undefined;
  return isJsonObject(capabilities) ? capabilities : {};
}

/** Returns whether a client answers forms of a server. A declaration without modes means forms, in both eras. */
export function declaresForms({ elicitation }: Loose): boolean {
  return (
    isJsonObject(elicitation) && (isJsonObject(elicitation.form) || Object.keys(elicitation).length === 0)
  );
}

/**
 * Whether the client of a call accepts a task in place of its result. `later`: once the wait for the approval is over, as
 * the extension of 2026-07-28 has it. `now`: in any case, as a call of 2025-11-25 with the field `task` demands.
 */
export type TaskWish = 'later' | 'now';

/** The extension of 2026-07-28 by which a call returns a task that its client polls. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Returns whether the client of a request of 2026-07-28 declares the extension. @param meta `_meta` of the request */
export function declaresTasks(meta: unknown): boolean {
  const { extensions } = capabilitiesIn(meta);
  return isJsonObject(extensions) && isJsonObject(extensions[TASKS_EXTENSION]);
}

/** Takes the wish out of the parameters of tools/call: it concerns this hop alone. */
export function taskWishOf(
  era: 'session' | 'stateless',
  { task, ...params }: Loose,
): { params: Loose; task?: TaskWish } {
  if (era === 'stateless') return declaresTasks(params._meta) ? { params, task: 'later' } : { params };
  return isJsonObject(task) ? { params, task: 'now' } : { params };
}
