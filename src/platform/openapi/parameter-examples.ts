import type { Operation } from './openapi.types.js';

/** Objects that `npm run demo` creates, so that Swagger UI's forms can be sent unchanged. */
const EXAMPLES: Record<string, string> = {
  projectId: 'DEMO',
  issueId: 'DEMO-1',
  toolName: 'echo',
  'GET /api/mcp/catalog/{id}': 'memory',
};
/** The example of ids that are generated. */
const SOME_ID = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09';

/** Gives each path parameter an example, and `me` where an agent acts for itself. */
export function addParameterExamples(route: string, operation: Operation): void {
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in !== 'path' || parameter.example !== undefined) continue;
    parameter.example =
      EXAMPLES[route] ?? EXAMPLES[parameter.name] ?? (isForItself(parameter.description) ? 'me' : SOME_ID);
  }
}

function isForItself(description = ''): boolean {
  return description.startsWith('The calling agent');
}
