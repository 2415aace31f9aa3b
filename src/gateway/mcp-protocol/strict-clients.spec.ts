import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import fc from 'fast-check';
import { type ListKind, offersOf } from '../../mcp/server-records/prompt-and-resource-definitions.js';
import { listingOf } from '../../mcp/server-records/tool-definition.js';
import { ExactNumber, jsonText } from '../../platform/json/exact-json.js';
import { platformTools, toolsOf } from '../agent-tools/agent-tools.service.js';
import { toldOf } from './agent-server-methods.service.js';
import { GENERATED_CASES } from '../../../test/support/generated-cases.js';

type Loose = Record<string, unknown>;
/** What both released generations of the official client have in common. */
type Lister = Record<'tools' | 'prompts' | 'resources' | 'templates', () => Promise<string[]>>;

/** The lists that the gateway answers with. */
const answers: Record<string, Loose> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: 'gateway', version: '1' },
  },
};

class Wire {
  onmessage?: <Message>(message: Message) => void;
  onclose?: () => void;
  async start() {}
  async close() {
    this.onclose?.();
  }
  async send(message: object) {
    const { id, method } = message as { id?: number; method: string };
    if (id === undefined) return;
    // A client gets JSON, so what JSON does to a value belongs to the way.
    const text = jsonText({ jsonrpc: '2.0', id, result: answers[method] });
    queueMicrotask(() => this.onmessage?.(JSON.parse(text)));
  }
}

const namesOf = (list: { name: string }[]) => list.map(({ name }) => name);
const identity = { name: 'strict', version: '1' };
const clients: Record<string, () => Promise<Lister>> = {
  '1.32': async () => {
    const client = new OldClient(identity);
    await client.connect(new Wire());
    return {
      tools: async () => namesOf((await client.listTools()).tools),
      prompts: async () => namesOf((await client.listPrompts()).prompts),
      resources: async () => namesOf((await client.listResources()).resources),
      templates: async () => namesOf((await client.listResourceTemplates()).resourceTemplates),
    };
  },
  '2.4': async () => {
    const client = new NewClient(identity);
    await client.connect(new Wire());
    return {
      tools: async () => namesOf((await client.listTools()).tools),
      prompts: async () => namesOf((await client.listPrompts()).prompts),
      resources: async () => namesOf((await client.listResources()).resources),
      templates: async () => namesOf((await client.listResourceTemplates()).resourceTemplates),
    };
  },
};

const unholdable = fc
  .constantFrom('1e400', '-1e999', '9007199254740993')
  .map((digits) => new ExactNumber(digits));
const odd = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(null, true, 5, 'x', '', [], {}, ['a'], [null], { a: null }, '\0', '\ud800'),
  },
  { weight: 1, arbitrary: unholdable },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
/** Values for some of the members of an object, each sensible or odd. */
const some = (sensible: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Loose> =>
  fc.record(
    Object.fromEntries(
      Object.entries(sensible).map(([name, value]) => [
        name,
        fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: odd }),
      ]),
    ),
    { requiredKeys: [] },
  ) as fc.Arbitrary<Loose>;

/** All ways into a schema count together, or a schema would have thousands of others in it. */
const NESTED = { maxDepth: 2, depthIdentifier: fc.createDepthIdentifier() };
const text = fc.string({ maxLength: 5 });
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: some({
    type: fc.constantFrom('object', 'object', ['object'], ['object', 'null'], 'string', 'file'),
    properties: fc.dictionary(
      fc.constantFrom('a', 'b', '__proto__', 'constructor', '$ref', '$id', 'type', '10', '2'),
      fc.oneof(NESTED, fc.boolean(), tie('schema')),
      { maxKeys: 2 },
    ),
    required: fc.oneof(fc.array(text, { maxLength: 2 }), fc.boolean()),
    $ref: fc.constantFrom('#', '#/$defs/a', '#/nowhere', 'https://example.com/a', 'a', ''),
    $defs: fc.dictionary(fc.constant('a'), fc.oneof(NESTED, fc.constant({}), tie('schema'))),
    $id: fc.constantFrom('a', 'https://example.com/a', '#b', ''),
    id: text,
    $anchor: text,
    $schema: fc.constantFrom(
      'http://json-schema.org/draft-04/schema#',
      'https://json-schema.org/draft/2020-12/schema',
      'x',
    ),
    $async: fc.boolean(),
    pattern: fc.constantFrom('^a$', '(?<=a)[', '\\p{Nope}'),
    format: fc.constantFrom('date', 'nope'),
    exclusiveMinimum: fc.oneof(fc.integer(), fc.boolean()),
    enum: fc.array(fc.oneof(fc.constantFrom('a', 'a', null, 1), unholdable), { maxLength: 2 }),
    items: fc.oneof(NESTED, fc.boolean(), tie('schema')),
    allOf: fc.array(fc.oneof(NESTED, fc.constant({}), tie('schema')), { maxLength: 2 }),
    discriminator: fc.constant({ propertyName: 'a' }),
    nullable: fc.boolean(),
  }),
}));

const icons = fc.array(
  some({ src: text, mimeType: text, sizes: fc.array(text), theme: fc.constant('dark') }),
  {
    maxLength: 1,
  },
);
const described = {
  title: text,
  description: text,
  icons,
  _meta: fc.dictionary(text, fc.oneof(fc.jsonValue({ maxDepth: 1 }), unholdable)),
};
const tool = some({
  ...described,
  name: fc.constantFrom('a', 'b', 'c'),
  inputSchema: schema,
  outputSchema: schema,
  annotations: some({ title: text, readOnlyHint: fc.boolean(), destructiveHint: fc.boolean() }),
  execution: some({ taskSupport: fc.constantFrom('required', 'optional', 'forbidden', 'sometimes') }),
  tags: odd,
});
const prompt = some({
  ...described,
  name: text,
  arguments: fc.array(some({ name: text, description: text, required: fc.boolean() }), { maxLength: 2 }),
});
const offered = {
  ...described,
  name: text,
  mimeType: text,
  annotations: some({
    audience: fc.array(fc.constantFrom('user', 'assistant', 'all')),
    priority: fc.double({ min: -1, max: 2 }),
    lastModified: fc.constantFrom('2025-01-12T15:00:58Z', '2025-02-30T15:00:58Z', '2025-01-12'),
  }),
};
const entries = (one: fc.Arbitrary<unknown>, most = 2) =>
  fc.array(fc.oneof({ weight: 9, arbitrary: one }, odd), { maxLength: most });
const offers: [ListKind, string, string, fc.Arbitrary<unknown>, Loose][] = [
  ['prompts', 'prompts/list', 'prompts', prompt, { name: 'good' }],
  [
    'resources',
    'resources/list',
    'resources',
    some({ ...offered, uri: text, size: fc.nat() }),
    { uri: 'x:', name: 'good' },
  ],
  [
    'templates',
    'resources/templates/list',
    'resourceTemplates',
    some({ ...offered, uriTemplate: text }),
    { uriTemplate: 'x:{a}', name: 'good' },
  ],
];

const good = { name: 'good', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } };
const server = { serverId: 's', serverName: 'S', asks: [] as string[] };

/** Returns what tools/list answers an agent of the tools of servers that list these. */
async function offeredTools(...listings: unknown[][]): Promise<Loose[]> {
  const tools = await Promise.all(
    listings.map(async (listed, at) => {
      const valid = (await listingOf(listed)).filter(({ invalid }) => invalid === null);
      return toolsOf({ ...server, slug: `s${at}`, tools: valid.map(({ definition }) => definition) });
    }),
  );
  return tools.flat().map(toldOf);
}

describe('both released clients list everything else', () => {
  let connected: Lister[];
  beforeAll(async () => {
    connected = await Promise.all(Object.values(clients).map((connect) => connect()));
  });

  /** Checks that each client lists these items of the answer. */
  async function expectListed(kind: keyof Lister, sent: readonly Loose[]): Promise<void> {
    for (const client of connected) expect(await client[kind]()).toEqual(sent.map(({ name }) => name));
  }

  // Once: a client reads each tool by itself, and these never differ.
  it('the tools of the platform beside those of a server', async () => {
    const sent = [...platformTools.map(toldOf), ...(await offeredTools([good]))];
    answers['tools/list'] = { tools: sent };
    await expectListed('tools', sent);
    const names = sent.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['platform__next_issue', 's0__good']));
  });

  it('whatever one of two servers lists as its tools', async () => {
    await fc.assert(
      fc.asyncProperty(entries(tool), entries(tool, 1), async (one, other) => {
        const sent = await offeredTools([...one, good], [good, ...other]);
        answers['tools/list'] = { tools: sent };
        await expectListed('tools', sent);
        expect(sent.map(({ name }) => name)).toEqual(expect.arrayContaining(['s0__good', 's1__good']));
      }),
      { numRuns: GENERATED_CASES },
    );
  }, 120_000);

  it.each(offers)('whatever a server lists as its %s', async (kind, method, member, one, whole) => {
    await fc.assert(
      fc.asyncProperty(entries(one), async (listed) => {
        const sent = offersOf(kind, [...listed, whole]);
        answers[method] = { [member]: sent };
        await expectListed(kind, sent);
        expect(sent).toContainEqual(whole);
      }),
      { numRuns: GENERATED_CASES / 4 },
    );
  });
});
