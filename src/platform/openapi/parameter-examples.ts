import { SOME_ID } from './examples.js';
import type { Operation } from './openapi.types.js';

/** Objects that the examples of the bodies create, so that Swagger UI's forms can be sent unchanged, one after another. */
const EXAMPLES: Record<string, string> = {
  projectId: 'DOCS',
  issueId: 'DOCS-1',
  toolName: 'echo',
  'GET /api/mcp/catalog/{id}': 'memory',
};

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
