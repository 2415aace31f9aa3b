/** How a server's resource is addressed by agents: its own URI, or template of one, with the server before it (spec §7). */
function addressOf(slug: string, uri: string): string {
  return `awp+${slug}:${uri}`;
}

/** null for what is no such address. */
export function partsOfAddress(address: unknown): { slug: string; uri: string } | null {
  if (typeof address !== 'string') return null;
  const [, slug, uri] = /^awp\+([a-z0-9-]+):(.+)$/s.exec(address) ?? [];
  return slug === undefined || uri === undefined ? null : { slug, uri };
}

/** The parts of a result that are told by URI, addressed as agents know them. */
export function addressed<Item extends Record<string, unknown>>(
  slug: string,
  items: Item[],
  member: 'uri' | 'uriTemplate',
): Item[] {
  return items.map((item) => {
    const uri = item[member];
    return typeof uri === 'string' ? { ...item, [member]: addressOf(slug, uri) } : item;
  });
}
