import type { StandardSchemaV1 } from '@modelcontextprotocol/client';

/** An old server on stdio that ignores the probe costs this whole time once. Afterwards its verdict is kept. */
const PROBE_TIMEOUT_MS = 5_000;

export const CLIENT_OPTIONS = {
  // Forms only, see `OpenRequests`. The SDK answers sampling and roots with -32601, and a URL with -32602.
  capabilities: { elicitation: { form: {} } },
  versionNegotiation: { mode: 'auto', probe: { timeoutMs: PROBE_TIMEOUT_MS } },
  inputRequired: { autoFulfill: false },
} as const;

/** The longest delay of a timer: `CallClock` ends a call, and not the SDK's own timer. */
export const NEVER_MS = 2 ** 31 - 1;

/** Accepts any object, because a result is passed on to the agent unchanged. */
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
