import { isJsonObject } from '../../platform/json/exact-number.js';

type Loose = Record<string, unknown>;

/** Returns the address under which agents know a server's resource, or a template of one (contract §7.4). */
function addressOf(slug: string, uri: string): string {
  return `awp+${slug}:${uri}`;
}

/** Returns null for a value that is not such an address. */
export function partsOfAddress(address: unknown): { slug: string; uri: string } | null {
  if (typeof address !== 'string') return null;
  const [, slug, uri] = /^awp\+([a-z0-9-]+):(.+)$/s.exec(address) ?? [];
  return slug === undefined || uri === undefined ? null : { slug, uri };
}

/** Returns the items of a server's list with the URIs as addresses that agents know. */
export function addressed<Item extends Loose>(
  slug: string,
  items: Item[],
  member: 'uri' | 'uriTemplate',
): Item[] {
  return items.map((item) => addressedItem(slug, item, member));
}

/** Returns the result of a tool call with the URIs of linked and embedded resources as `resources/read` takes them. */
export function withAddresses(slug: string, result: Loose): Loose {
  const { content } = result;
  return Array.isArray(content)
    ? { ...result, content: content.map((block) => ofBlock(slug, block)) }
    : result;
}

/** Returns the result of prompts/get with the URIs of its messages as `resources/read` takes them. */
export function withAddressesInMessages(slug: string, result: Loose): Loose {
  const { messages } = result;
  if (!Array.isArray(messages)) return result;
  return {
    ...result,
    messages: messages.map((message: unknown) =>
      isJsonObject(message) ? { ...message, content: ofBlocks(slug, message.content) } : message,
    ),
  };
}

function ofBlocks(slug: string, content: unknown): unknown {
  return Array.isArray(content) ? content.map((block) => ofBlock(slug, block)) : ofBlock(slug, content);
}

function ofBlock(slug: string, block: unknown): unknown {
  if (!isJsonObject(block)) return block;
  if (block.type === 'resource_link') return addressedItem(slug, block, 'uri');
  if (block.type !== 'resource' || !isJsonObject(block.resource)) return block;
  return { ...block, resource: addressedItem(slug, block.resource, 'uri') };
}

function addressedItem<Item extends Loose>(slug: string, item: Item, member: 'uri' | 'uriTemplate'): Item {
  const uri = item[member];
  return typeof uri === 'string' ? { ...item, [member]: addressOf(slug, uri) } : item;
}
