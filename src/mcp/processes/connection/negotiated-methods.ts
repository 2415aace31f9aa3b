type Capabilities = Record<string, unknown> | undefined;

/** The capability that a server declares for each method; a dot leads to a member of one. */
const NEEDED: Record<string, string> = {
  'tools/list': 'tools',
  'tools/call': 'tools',
  'prompts/list': 'prompts',
  'prompts/get': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resources',
  'resources/read': 'resources',
  'resources/subscribe': 'resources.subscribe',
  'resources/unsubscribe': 'resources.subscribe',
  'completion/complete': 'completions',
  'logging/setLevel': 'logging',
};

/** The first revision in which servers declare completions. Earlier ones have them without a declaration. */
const COMPLETIONS_DECLARED = '2025-03-26';

/**
 * Returns the capability that the server would have to declare for this method and did not; null where the method may be
 * sent. MCP allows only negotiated capabilities, and some servers hang or end at a method that they do not know.
 */
export function undeclaredFor(
  method: string,
  capabilities: Capabilities,
  protocolVersion: string,
): string | null {
  const needed = NEEDED[method];
  if (needed === undefined) return null;
  if (needed === 'completions' && protocolVersion < COMPLETIONS_DECLARED) return null;
  const [name = '', member] = needed.split('.');
  const declared = capabilities?.[name];
  if (typeof declared !== 'object' || declared === null) return needed;
  return member === undefined || (declared as Record<string, unknown>)[member] === true ? null : needed;
}
