import type { Transformer } from 'node:stream/web';
import { isJsonObject, isNumber } from '../../../platform/json/exact-json.js';

/** Returns the id of the request that a response belongs to, as JSON; null where it belongs to none. */
type RequestIdOf = () => string | null;
const NO_REQUEST: RequestIdOf = () => null;

/**
 * Removes null members of the frame of JSON-RPC messages from a response, as text, so that everything else in it stays as
 * its server wrote it. The SDK's transport refuses `"error": null` beside a result (contract §7.4). An error without an
 * id is the answer to the request: servers write one before they read its id, as they do for a session unknown to them.
 */
export function withoutNullFrames(response: Response, requestId = NO_REQUEST): Response {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null || !/^(application\/json|text\/event-stream)\b/i.test(type)) return response;
  const { status, statusText, headers } = response;
  const isStream = /^text\/event-stream/i.test(type);
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new TransformStream(isStream ? byLine(requestId) : asWhole(requestId)))
    .pipeThrough(new TextEncoderStream());
  return new Response(body, { status, statusText, headers });
}

/**
 * Returns a message without members of its frame that are null, and without a `_meta` that clients cannot read. Text that is
 * no such message comes back as it is.
 */
export function withoutNullFrame(text: string, requestId = NO_REQUEST): string {
  if (!SUSPECT.test(text) && !lacksId(text)) return text;
  const members = membersOf(text);
  if (members === null) return text;
  const isCall = members.some((member) => /^\s*"method"\s*:\s*"/.test(member));
  const kept = members
    .filter((member) => !NULL.test(member) && !(isCall && NULL_ID.test(member)))
    .map(withoutOddMeta);
  const answer = isCall ? null : answerOf(kept, requestId);
  const isSame = kept.length === members.length && kept.every((member, at) => member === members[at]);
  return answer ?? (isSame ? text : `{${kept.join(',')}}`);
}

const SUSPECT =
  /"(?:method|params|result|error|id)"\s*:\s*null|"_meta"\s*:\s*[^{\s]|"progressToken"\s*:\s*[^"\d\s-]/;
const NULL = /^\s*"(?:method|params|result|error)"\s*:\s*null\s*$/;
const NULL_ID = /^\s*"id"\s*:\s*null\s*$/;

const BODY = /^(\s*"(?:params|result)"\s*:\s*)(\{[^]*)$/;
const META = /^(\s*"_meta"\s*:\s*)(\{[^]*)$/;
const ODD_META = /^\s*"_meta"\s*:\s*[^{\s]/;
const ODD_TOKEN = /^\s*"progressToken"\s*:\s*[^"\d\s-]/;

/**
 * A transport of the SDK, ours and that of every client, takes a frame for none whose `_meta` is no object, or whose progress
 * token is no text and no number, and the request then waits for ever.
 */
const withoutOddMeta = (member: string): string =>
  withoutMembers(member, BODY, (own) => (ODD_META.test(own) ? null : withoutMembers(own, META, noOddToken)));

const noOddToken = (own: string): string | null => (ODD_TOKEN.test(own) ? null : own);

/** Returns a member whose value is an object with each of its own members as `keep` returns them, null for none. */
function withoutMembers(member: string, form: RegExp, keep: (own: string) => string | null): string {
  const [, name, value] = form.exec(member) ?? [];
  const members = value === undefined ? null : membersOf(value);
  const kept = members?.map(keep).filter((own) => own !== null);
  const isSame = !kept || (kept.length === members!.length && kept.every((own, at) => own === members![at]));
  return isSame ? member : `${name}{${kept.join(',')}}`;
}

const lacksId = (text: string): boolean => !text.includes('"id"') && text.includes('"error"');

/** Returns an error that has no id with the id of its request; null for any other message. */
function answerOf(members: string[], requestId: RequestIdOf): string | null {
  const named = members.filter((member) => !NULL_ID.test(member));
  if (!named.some((member) => /^\s*"error"\s*:/.test(member))) return null;
  const id = named.some((member) => /^\s*"id"\s*:/.test(member)) ? null : requestId();
  return id === null ? null : `{${[...named, `"id":${id}`].join(',')}}`;
}

/** Cuts the text of an object into its members; null for any other text. */
function membersOf(text: string): string[] | null {
  const begin = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (begin < 0 || text.slice(0, begin).trim() !== '' || text.slice(end + 1).trim() !== '') return null;
  const members: string[] = [];
  let start = begin + 1;
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const character = text[at]!;
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' && depth === 0) {
      members.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...members, text.slice(start, end)];
}

function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function asWhole(requestId: RequestIdOf): Transformer<string, string> {
  const parts: string[] = [];
  return {
    transform: (part) => void parts.push(part),
    flush: (controller) => controller.enqueue(withoutNullFrame(parts.join(''), requestId)),
  };
}

/** A line of an event is passed on when it is complete; how large an event may be, the body below has limited. */
function byLine(requestId: RequestIdOf): Transformer<string, string> {
  let open: string[] = [];
  return {
    transform(part, controller) {
      const end = part.lastIndexOf('\n');
      if (end < 0) return void open.push(part);
      open.push(part.slice(0, end + 1));
      controller.enqueue(
        open
          .join('')
          .replaceAll(DATA, (_, start: string, data: string) => start + withoutNullFrame(data, requestId)),
      );
      open = [part.slice(end + 1)];
    },
    flush: (controller) => controller.enqueue(open.join('')),
  };
}

const DATA = /^(data: ?)(\{.*)$/gm;

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

/**
 * Returns a message of a server without null members of its frame, its handshake or its notification. The id of an answer that
 * is the text of a number becomes that number.
 */
export function withoutNullMembers<T extends object>(message: T): T {
  const frame = withNumberAsId(without(message as Loose, 'method' in message ? [...FRAME, 'id'] : FRAME));
  const isNotice = typeof frame.method === 'string';
  if (isNotice && isJsonObject(frame.params)) return { ...frame, params: without(frame.params, NOTICE) } as T;
  return (isHandshake(frame.result) ? { ...frame, result: withoutAny(frame.result) } : frame) as T;
}

/**
 * Our requests have numbers as ids. The released clients take an answer whose server wrote one as a text, so we do too. The
 * first id is 0, which stray responses have as well, so there the answer must be a handshake.
 */
function withNumberAsId(frame: Loose): Loose {
  const { id } = frame;
  const isText = !('method' in frame) && typeof id === 'string' && /^(?:0|[1-9]\d{0,14})$/.test(id);
  return isText && (id !== '0' || isHandshake(frame.result)) ? { ...frame, id: Number(id) } : frame;
}

/** A client takes a response for none whose `_meta` it cannot read, and waits for ever. */
function readableMeta(meta: unknown): unknown {
  if (!isJsonObject(meta)) return undefined;
  const { progressToken: token = '' } = meta;
  if (typeof token === 'string' || (isNumber(token) && Number.isSafeInteger(Number(token)))) return meta;
  const { progressToken: _odd, ...rest } = meta;
  return rest;
}

/** Returns a result of a server without null members of its own, of its content, messages and completion, and without a `_meta` that clients cannot read. */
export function resultWithoutNulls(given: Loose): Loose {
  const result = without(given, RESULT);
  return changed(result, {
    _meta: readableMeta(result._meta),
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
