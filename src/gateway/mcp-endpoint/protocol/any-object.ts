import type { StandardSchemaV1 } from '@modelcontextprotocol/server';

/** Takes parameters as they came: with an own schema the SDK would leave out what it does not know. */
export const ANY_OBJECT: StandardSchemaV1<unknown, Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'agent-work-platform',
    validate: (value) => ({ value: value as Record<string, unknown> }),
  },
};
