import { hashOf, meaningOf, type ListedTool, type ToolDefinition } from '../tools/tool-definition.js';
import { stateOf, type ToolFacts, type ToolState } from '../tools/tool-state.js';

type KnownTool = ToolFacts & { name: string; definition: ToolDefinition };

/** Returns the states that the stored tools would have after this listing, by name, without any new approval. */
export function toolsAfter(
  known: readonly KnownTool[],
  listed: readonly ListedTool[],
): { name: string; state: ToolState }[] {
  const after = new Map(listed.map((tool) => [tool.definition.name, tool]));
  const before = new Map(known.map((tool) => [tool.name, tool]));
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted((a, b) => (a < b ? -1 : 1));
  return names.map((name) => ({ name, state: stateAfter(before.get(name), after.get(name)) }));
}

function stateAfter(known: KnownTool | undefined, listed: ListedTool | undefined): ToolState {
  return stateOf({
    present: listed !== undefined,
    hash: listed ? hashAfter(known, listed.definition) : '',
    approvedHash: known?.approvedHash ?? null,
    invalidReason: listed?.invalid ?? null,
  });
}

/** A tool that means the same keeps its hash. */
function hashAfter(known: KnownTool | undefined, definition: ToolDefinition): string {
  const hash = hashOf(definition);
  if (!known || known.hash === hash) return hash;
  return meaningOf(known.definition) === meaningOf(definition) ? known.hash : hash;
}
