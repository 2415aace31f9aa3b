/**
 * What real servers were reported to send, or are seen to send, and break a client with: the rows of docs/compatibility.md.
 * Each names who saw it first. `odd` is the tool, prompt or resource in question beside a good one.
 */
export interface ReportedServer {
  name: string;
  source: string;
  /** What stands instead of the ordinary answer to these methods. A text is sent as it is, for numbers that JSON.parse changes. */
  answers: Record<string, unknown>;
}

const named = (name: string, fields: object = {}) => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object' },
  ...fields,
});
const listing = (...odd: unknown[]) => ({ 'tools/list': { tools: [named('good'), ...odd] } });
const odd = (fields: object) => listing(named('odd', fields));
const rows = (source: string, made: Record<string, Record<string, unknown>>): ReportedServer[] =>
  Object.entries(made).map(([name, answers]) => ({ name, source, answers }));

const deep = (levels: number): object =>
  levels === 0 ? {} : { type: 'object', properties: { a: deep(levels - 1) } };

/** The definition of one tool, beside a good one. */
export const definitions: ReportedServer[] = [
  ...rows('mcpx#28', {
    '`outputSchema` without `type`': odd({ outputSchema: { $id: 'x.v1', description: 'result' } }),
    '`outputSchema` of a list': odd({ outputSchema: { type: 'array', items: { type: 'string' } } }),
    '`inputSchema` is `{}`': odd({ inputSchema: {} }),
    '`inputSchema` is only a `$ref`': odd({
      inputSchema: {
        $ref: '#/$defs/a',
        $defs: { a: { type: 'object', properties: { q: { type: 'string' } } } },
      },
    }),
  }),
  ...rows('Java and Python serializers', {
    '`outputSchema: null`': odd({ outputSchema: null }),
    '`title: null`': odd({ title: null }),
    '`description: null`': odd({ description: null }),
    '`annotations: null`': odd({ annotations: null }),
    '`annotations.title: null`': odd({ annotations: { title: null, readOnlyHint: true } }),
    '`_meta: null`': odd({ _meta: null }),
    '`execution: null`, `icons: null`': odd({ execution: null, icons: null }),
    '`inputSchema.required: null`': odd({ inputSchema: { type: 'object', required: null } }),
    '`inputSchema.properties: null`': odd({ inputSchema: { type: 'object', properties: null } }),
  }),
  ...rows('metabase#77107', {
    'no `inputSchema`': listing({ name: 'odd', description: 'd' }),
    '`inputSchema: null`': odd({ inputSchema: null }),
    '`required: true` as in draft 3': odd({ inputSchema: { type: 'object', required: true } }),
    '`properties: {"x": true}`': odd({ inputSchema: { type: 'object', properties: { x: true } } }),
    '`exclusiveMinimum: true` as in draft 4': odd({
      outputSchema: { type: 'object', properties: { n: { minimum: 0, exclusiveMinimum: true } } },
    }),
    '`$schema` of draft 4': odd({
      inputSchema: { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' },
    }),
    '`outputSchema` with a `$ref` to nowhere': odd({
      outputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } },
    }),
    '`outputSchema` with a broken regular expression': odd({
      outputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '[' } } },
    }),
    '`outputSchema` with an unknown `type`': odd({
      outputSchema: { type: 'object', properties: { a: { type: 'file' } } },
    }),
  }),
  ...rows('notion-mcp-server#340, claude-code#95504', {
    '`anyOf` at the root of `inputSchema`': odd({
      inputSchema: { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    }),
    '`oneOf` at the root of `inputSchema`, no `type`': odd({
      inputSchema: { oneOf: [{ type: 'object' }, { type: 'object', required: ['a'] }] },
    }),
    'a schema that contains itself': odd({
      inputSchema: {
        type: 'object',
        properties: { node: { $ref: '#/$defs/node' } },
        $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      },
    }),
    'a schema of 40 levels': odd({ inputSchema: deep(40) }),
  }),
  ...rows('context-forge, hand-written servers', {
    '`description` is a number': odd({ description: 5 }),
    '`readOnlyHint: "true"`': odd({ annotations: { readOnlyHint: 'true' } }),
    '`icons` is a text': odd({ icons: 'x.png' }),
    '`taskSupport: "sometimes"`': odd({ execution: { taskSupport: 'sometimes' } }),
    '`taskSupport: "required"`': odd({ execution: { taskSupport: 'required' } }),
    'two tools of one name': listing(named('odd'), named('odd', { description: 'other' })),
    'an empty name': listing(named('')),
    'no name': listing({ description: 'd', inputSchema: { type: 'object' } }),
    'an entry that is a text': listing('odd'),
    'an entry that is null': listing(null),
    'members of its own': odd({ tags: ['x'], category: 'y', version: 3 }),
  }),
  ...rows('codex#8174, docker/mcp-gateway#228', {
    'a name with dots and slashes': listing(named('odd.a/b:c')),
    'a name of 128 characters': listing(named(`odd${'x'.repeat(125)}`)),
    'a name in Japanese': listing(named('odd検索')),
    'the name `__proto__`': listing(named('__proto__')),
  }),
  ...rows('go-sdk#1201, claude-code#78762', {
    'a default of 9007199254740993': {
      'tools/list':
        '{"tools":[{"name":"good","inputSchema":{"type":"object"}},{"name":"odd","inputSchema":{"type":"object","properties":{"id":{"type":"integer","default":9007199254740993}}}}]}',
    },
    'a maximum of 1e400': {
      'tools/list':
        '{"tools":[{"name":"good","inputSchema":{"type":"object"}},{"name":"odd","inputSchema":{"type":"object","properties":{"id":{"maximum":1e400}}}}]}',
    },
  }),
];

const greeting = (fields: object) => ({
  ...listing(named('odd')),
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'odd', version: '1' },
    ...fields,
  },
});

/** The answer to `initialize`, or how a list is cut into pages. */
export const handshakes: ReportedServer[] = [
  ...rows('mcp-wordpress-remote#50, Java and .NET servers', {
    '`instructions: null`': greeting({ instructions: null }),
    '`serverInfo.title: null`': greeting({ serverInfo: { name: 'odd', title: null, version: '1' } }),
    '`capabilities.prompts: null`': greeting({ capabilities: { tools: {}, prompts: null } }),
    '`capabilities.tools: {"listChanged": null}`': greeting({
      capabilities: { tools: { listChanged: null } },
    }),
    '`_meta: null`': greeting({ _meta: null }),
  }),
  ...rows('hand-written servers', {
    'no `serverInfo`': greeting({ serverInfo: undefined }),
    '`serverInfo` without `version`': greeting({ serverInfo: { name: 'odd' } }),
    'no `capabilities`': greeting({ capabilities: undefined }),
    '`instructions` is a number': greeting({ instructions: 5 }),
    'a `protocolVersion` of the future': greeting({ protocolVersion: '2099-01-01' }),
    'the `protocolVersion` of 2024': greeting({ protocolVersion: '2024-11-05' }),
    'no `protocolVersion`': greeting({ protocolVersion: undefined }),
    'members of its own': greeting({ vendor: { build: 7 } }),
  }),
  ...rows('java-sdk#628, csharp-sdk#1072, fastmcp#5025', {
    '`nextCursor: null`': { 'tools/list': { tools: [named('good'), named('odd')], nextCursor: null } },
    '`nextCursor: ""`': { 'tools/list': { tools: [named('good'), named('odd')], nextCursor: '' } },
    'a cursor that never moves': {
      'tools/list': { tools: [named('good'), named('odd')], nextCursor: 'same' },
    },
    '`tools` is an object': { 'tools/list': { tools: { odd: named('odd') } } },
  }),
];

const answer = (result: unknown) => ({ ...listing(named('odd')), 'tools/call': result });
const shaped = (result: unknown) => ({
  ...listing(
    named('odd', {
      outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    }),
  ),
  'tools/call': result,
});
const text = { type: 'text', text: 'fine' };

/** The result of a call of the odd tool. */
export const results: ReportedServer[] = [
  ...rows('context-forge#4042, portainer-mcp#112', {
    'text only in spite of `outputSchema`': shaped({ content: [{ type: 'text', text: '{"n":1}' }] }),
    'structured content that is not of `outputSchema`': shaped({
      content: [text],
      structuredContent: { n: 'one' },
    }),
    'structured content alone': shaped({ structuredContent: { n: 1 } }),
    '`structuredContent: null`': answer({ content: [text], structuredContent: null }),
    '`structuredContent` is a list': answer({ content: [text], structuredContent: [1, 2] }),
  }),
  ...rows('context-forge#4202, hand-written servers', {
    '`content` is empty': answer({ content: [] }),
    '`content: null`': answer({ content: null }),
    '`content` is a text': answer({ content: 'plain text' }),
    'no `content`': answer({}),
    'the `toolResult` of 2024': answer({ toolResult: 'legacy' }),
    '`isError: null`': answer({ content: [text], isError: null }),
    'a block of an unknown type': answer({
      content: [{ type: 'video', data: 'AA==', mimeType: 'video/mp4' }],
    }),
    'a text block without text': answer({ content: [{ type: 'text' }] }),
    'an image without `mimeType`': answer({ content: [{ type: 'image', data: 'AA==' }] }),
    'an image as a data URL': answer({
      content: [{ type: 'image', data: 'data:image/png;base64,AA==', mimeType: 'image/png' }],
    }),
    'annotations with a null': answer({ content: [{ ...text, annotations: { audience: null } }] }),
    'members of its own': answer({ content: [{ ...text, foo: 1 }], bar: true, _meta: { 'x/y': 1 } }),
  }),
  ...rows('hand-written servers', {
    '`_meta: 5`': answer({ content: [text], _meta: 5 }),
    '`_meta.progressToken: null`': answer({ content: [text], _meta: { progressToken: null } }),
    '`resultType: null`': answer({ content: [text], resultType: null }),
    '`error.code` is a text': answer({ $frame: { error: { code: 'E1', message: 'no' } } }),
    '`error` without `message`': answer({ $frame: { error: { code: -32_000 } } }),
    '`error` is a text': answer({ $frame: { error: 'no' } }),
    '`error: null` beside the result': answer({ $frame: { result: { content: [text] }, error: null } }),
    '`result: null`': answer({ $frame: { result: null } }),
    '`result` is a text': answer({ $frame: { result: 'fine' } }),
    'neither result nor error': answer({ $frame: {} }),
    'the id as a text': answer({ $frame: { result: { content: [text] } }, $id: 'text' }),
    'no `jsonrpc`': answer({ $frame: { jsonrpc: undefined, result: { content: [text] } } }),
  }),
  ...rows('go-sdk#1236, higress#3760', {
    'the number 1234567890123456789': answer('{"content":[],"structuredContent":{"id":1234567890123456789}}'),
  }),
];
