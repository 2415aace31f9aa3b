import type { StandardSchemaV1 } from '@modelcontextprotocol/server';

/** Accepts parameters unchanged. With a schema of its own the SDK would drop unknown fields. */
export const ANY_OBJECT: StandardSchemaV1<unknown, Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'agent-work-platform',
    validate: (value) => ({ value: value as Record<string, unknown> }),
  },
};
