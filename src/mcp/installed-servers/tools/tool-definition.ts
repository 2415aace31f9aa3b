import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/http/canonical-json.js';
import { textFault } from '../../../platform/http/text-rules.js';

/** What a server says of one tool and an agent's model gets to read: all of it is pinned by the hash. */
export interface ToolDefinition {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
}

/** A tool as a connection lists it: more fields than those that are kept. */
type ListedTool = ToolDefinition & Record<string, unknown>;

/** A server's list cannot be kept; the sentence says why. */
export class ToolsUnusable extends Error {}

/**
 * The tools of a listing by name. Fields that are not pinned are left out, since nobody would notice their
 * change; of two tools with one name the first counts.
 * @throws {ToolsUnusable} for text that no database and no model takes
 */
export function definitionsOf(listed: readonly ListedTool[]): ToolDefinition[] {
  const byName = new Map<string, ToolDefinition>();
  for (const tool of listed) {
    const definition = definitionOf(tool);
    if (!isStorable(definition))
      throw new ToolsUnusable(
        'The server lists a tool with characters that are no text (NUL or half of a surrogate pair).',
      );
    if (!byName.has(tool.name)) byName.set(tool.name, definition);
  }
  return [...byName.values()];
}

/** SHA-256 over the canonical JSON of the definition, in hex (spec §3.3). */
export function hashOf(definition: ToolDefinition): string {
  return createHash('sha256').update(canonicalJson(definition)).digest('hex');
}

function definitionOf({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: ListedTool): ToolDefinition {
  const fields = { name, title, description, inputSchema, outputSchema, annotations };
  return JSON.parse(JSON.stringify(fields)) as ToolDefinition;
}

function isStorable(definition: ToolDefinition): boolean {
  let storable = true;
  JSON.stringify(definition, (key, value: unknown) => {
    if (textFault(key) !== null || (typeof value === 'string' && textFault(value) !== null)) storable = false;
    return value;
  });
  return storable;
}
