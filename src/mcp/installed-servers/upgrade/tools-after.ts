import { hashOf, type ToolDefinition } from '../tools/tool-definition.js';
import { stateOf, type ToolFacts, type ToolState } from '../tools/tool-state.js';

/** Returns the states that the stored tools would have after this listing, by name, without any new approval. */
export function toolsAfter(
  known: readonly (ToolFacts & { name: string })[],
  listed: readonly ToolDefinition[],
): { name: string; state: ToolState }[] {
  const hashes = new Map(listed.map((tool) => [tool.name, hashOf(tool)]));
  const approved = new Map(known.map(({ name, approvedHash }) => [name, approvedHash]));
  const names = [...new Set([...approved.keys(), ...hashes.keys()])].toSorted((a, b) => (a < b ? -1 : 1));
  return names.map((name) => {
    const facts = {
      present: hashes.has(name),
      hash: hashes.get(name) ?? '',
      approvedHash: approved.get(name) ?? null,
    };
    return { name, state: stateOf(facts) };
  });
}
