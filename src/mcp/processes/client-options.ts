import type { StandardSchemaV1 } from '@modelcontextprotocol/client';

/** A silent old server on stdio costs the probe's whole time, once: the verdict is kept afterwards. */
const PROBE_TIMEOUT_MS = 5_000;

export const CLIENT_OPTIONS = {
  capabilities: {}, // No sampling, elicitation, roots: the SDK answers such requests with -32601.
  versionNegotiation: { mode: 'auto', probe: { timeoutMs: PROBE_TIMEOUT_MS } },
  inputRequired: { autoFulfill: false },
} as const;

/** The clock of the call decides; the SDK's own timer gets the longest time that a timer can have. */
export const NEVER_MS = 2 ** 31 - 1;

/** The result is the agent's to judge: it is passed on as it came. */
export const AS_IT_CAME: StandardSchemaV1<unknown, Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'agent-work-platform',
    validate: (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? { value: value as Record<string, unknown> }
        : { issues: [{ message: 'not an object' }] },
  },
};
