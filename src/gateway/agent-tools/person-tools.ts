import { issueId, leaseToken, taking, WRITES, READS, type ToolDefinition } from './tool-schemas.js';

/** The tools that ask people. */
export const personTools = {
  ask_person: {
    title: 'Ask a person',
    description:
      'Asks a person a question that you cannot go on without. Returns {gateId, state}. Your issue waits for the answer and ' +
      'your lease of it ends: end your turn. When the person has answered, the issue comes back to you with the answer in ' +
      'answers. Without issueId the question is about the issue that you work on, when it is only one.',
    inputSchema: taking(
      {
        question: {
          type: 'string',
          minLength: 1,
          description: 'The question, with all that a person needs to answer it.',
        },
        options: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          maxItems: 10,
          uniqueItems: true,
          description: 'Answers to choose from.',
        },
        recommended: { type: 'string', description: 'The option that you would take.' },
        issueId,
        leaseToken,
      },
      'question',
    ),
    annotations: WRITES,
  },
  gate_result: {
    title: 'Read the answer of a person',
    description:
      'Reads the state of a question or approval by its gateId. Returns {state, answer, outcome, result}. state is open until ' +
      'a person has decided. The result of an approved call is there once outcome is.',
    inputSchema: taking(
      { gateId: { type: 'string', description: 'The gateId of the question or call.' } },
      'gateId',
    ),
    annotations: READS,
  },
} satisfies Record<string, ToolDefinition>;
