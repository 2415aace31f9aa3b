import { isJsonObject } from '../../../platform/json/exact-number.js';

type Loose = Record<string, unknown>;

/**
 * Members that MCP defines and that a server may leave out. Serializers of many languages write null for none, which
 * strict clients refuse, so null counts as absent in them (contract §7.4). Data keeps its nulls.
 */
const FRAME = ['method', 'params', 'result', 'error'];
const RESULT = [
  '_meta',
  'resultType',
  'nextCursor',
  'content',
  'structuredContent',
  'isError',
  'description',
  'messages',
  'contents',
  'completion',
  'inputRequests',
  'requestState',
  'task',
  'ttlMs',
  'cacheScope',
];
const BLOCK = [
  '_meta',
  'annotations',
  'title',
  'description',
  'mimeType',
  'icons',
  'size',
  'text',
  'blob',
  'data',
  'resource',
];
const ANNOTATIONS = ['audience', 'priority', 'lastModified'];
const COMPLETION = ['total', 'hasMore'];
const NOTICE = ['_meta', 'total', 'message', 'logger', 'reason', 'requestId'];
/** Members of a handshake whose content is not MCP's. */
const FOREIGN = new Set(['_meta', 'experimental', 'extensions']);

/** Returns a message of a server without null members of its frame, its handshake or its notification. */
export function withoutNullMembers<T extends object>(message: T): T {
  const frame = without(message as Loose, 'method' in message ? [...FRAME, 'id'] : FRAME);
  const isNotice = typeof frame.method === 'string';
  if (isNotice && isJsonObject(frame.params)) return { ...frame, params: without(frame.params, NOTICE) } as T;
  return (isHandshake(frame.result) ? { ...frame, result: withoutAny(frame.result) } : frame) as T;
}

/** Returns a result of a server without null members of its own, of its content, messages and completion. */
export function resultWithoutNulls(given: Loose): Loose {
  const result = without(given, RESULT);
  return changed(result, {
    content: listed(result.content, blockWithoutNulls),
    contents: listed(result.contents, blockWithoutNulls),
    messages: listed(result.messages, (message) =>
      changed(message, {
        content: isJsonObject(message.content) ? blockWithoutNulls(message.content) : message.content,
      }),
    ),
    completion: isJsonObject(result.completion) ? without(result.completion, COMPLETION) : result.completion,
  });
}

function blockWithoutNulls(given: Loose): Loose {
  const block = without(given, BLOCK);
  return changed(block, {
    annotations: isJsonObject(block.annotations)
      ? without(block.annotations, ANNOTATIONS)
      : block.annotations,
    resource: isJsonObject(block.resource) ? without(block.resource, BLOCK) : block.resource,
  });
}

function isHandshake(result: unknown): result is Loose {
  return (
    isJsonObject(result) &&
    ('serverInfo' in result || 'protocolVersion' in result || 'supportedVersions' in result)
  );
}

/** Returns a copy without members that are null at any depth, but for those whose content is not MCP's. */
function withoutAny(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAny);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    kept.map(([name, member]) => [name, FOREIGN.has(name) ? member : withoutAny(member)]),
  );
}

/** Returns the object itself where none of these members is null: nearly every result passes through here unchanged. */
function without(object: Loose, members: readonly string[]): Loose {
  if (!members.some((name) => object[name] === null)) return object;
  return Object.fromEntries(
    Object.entries(object).filter(([name, value]) => value !== null || !members.includes(name)),
  );
}

/** Returns the object itself where these members are what it has. */
function changed(object: Loose, members: Loose): Loose {
  const others = Object.entries(members).filter(([name, value]) => value !== object[name]);
  return others.length === 0 ? object : { ...object, ...Object.fromEntries(others) };
}

/** Returns the list itself where no element changes. */
function listed(list: unknown, change: (element: Loose) => Loose): unknown {
  if (!Array.isArray(list)) return list;
  const changedList = list.map((element: unknown) => (isJsonObject(element) ? change(element) : element));
  return changedList.some((element, at) => element !== list[at]) ? changedList : list;
}
