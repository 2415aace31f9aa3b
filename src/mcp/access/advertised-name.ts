import { createHash } from 'node:crypto';
import { isJsonObject } from '../../platform/json/exact-json.js';

type Loose = Record<string, unknown>;

/** Clients add a prefix of their own and fail at more than 64 characters (contract §7). */
const MAX_LENGTH = 48;

/** Number of hex digits of the hash at the end of a changed name. */
const HASH_LENGTH = 8;

/**
 * No tool is advertised under a longer name. What is beyond is neither compared nor stored (`MCP_NAME_MAX_BYTES` is at
 * most this), because the name of a refused call is whatever the agent sent, up to a whole frame.
 */
const MAX_COMPARED = 1_024;

const FORM = /^([a-z0-9-]+?)__([a-zA-Z0-9_-]+)$/;
const CHANGED = /_[0-9a-f]{8}$/;

/** The two parts of an advertised name. */
export interface AdvertisedParts {
  slug: string;
  /** The server's own name, unless `mayBeChanged`. */
  name: string;
  /** The name ends like one that had to be changed or cut: only the list of the server's names decides. */
  mayBeChanged: boolean;
}

/**
 * Returns the name under which agents see a server's tool or prompt: `<slug>__<name>` of `[a-zA-Z0-9_-]`, at most 48
 * characters. A name that had to be changed or cut ends in `_` and 8 hex digits of the SHA-256 of the tool's own name.
 * The result depends on slug and name alone, so that installing another server renames nothing (contract §7).
 */
export function advertisedName(slug: string, name: string): string {
  const plain = `${slug}__${name.replace(/[^a-zA-Z0-9_-]/gu, '_')}`;
  return plain === `${slug}__${name}` && plain.length <= MAX_LENGTH ? plain : changed(plain, name);
}

const hasCapitals = (name: string): boolean => name !== name.toLowerCase();

function changed(plain: string, name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${plain.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}

/**
 * Returns the names of one server's list in its order, different from one another also for clients that ignore case: of
 * those that differ by case alone, each with capitals is a changed one. A call finds the tool under either name, so
 * one that a client has kept goes on to work.
 */
export function advertisedNames(slug: string, names: readonly string[]): string[] {
  const advertised = names.map((name) => advertisedName(slug, name));
  const found = new Map<string, number>();
  for (const name of advertised) {
    const folded = name.toLowerCase();
    found.set(folded, (found.get(folded) ?? 0) + 1);
  }
  return advertised.map((name, at) => {
    return hasCapitals(name) && found.get(name.toLowerCase())! > 1 ? changed(name, names[at]!) : name;
  });
}

/**
 * Splits an advertised name at its first `__`, since a slug contains no `_`. Returns null for a value that cannot be
 * the name of a server's tool or prompt.
 */
export function partsOf(advertised: unknown): AdvertisedParts | null {
  if (typeof advertised !== 'string') return null;
  const isLong = advertised.length > MAX_COMPARED;
  const [, slug, name] = FORM.exec(isLong ? advertised.slice(0, MAX_COMPARED) : advertised) ?? [];
  if (slug === undefined || name === undefined) return null;
  return isLong
    ? { slug, name: `${name}…`, mayBeChanged: false }
    : { slug, name, mayBeChanged: CHANGED.test(name) };
}

/** Returns which of a server's own names is advertised under this name, also where it has capitals and a twin without. */
export function originalOf(advertised: string, slug: string, names: string[]): string | undefined {
  return names.find((name) => {
    const own = advertisedName(slug, name);
    return own === advertised || (hasCapitals(own) && changed(own, name) === advertised);
  });
}

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
