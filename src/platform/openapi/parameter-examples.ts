import type { Operation } from './openapi.types.js';

/** What `npm run demo` leaves behind, so that Swagger UI's forms can be sent as they stand. */
const EXAMPLES: Record<string, string> = {
  projectId: 'DEMO',
  issueId: 'DEMO-1',
  toolName: 'echo',
  'GET /api/mcp/catalog/{id}': 'memory',
};
/** Ids that are made anew each time. */
const SOME_ID = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09';

/** Gives each parameter of a path an example, and `me` where an agent speaks of itself. */
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
