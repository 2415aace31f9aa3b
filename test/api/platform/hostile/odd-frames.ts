import { sampleOf, textPlaces, withValue } from './text-places.js';
import { oddTextsAt } from './odd-texts.js';

type Params = Record<string, unknown>;

/** A tool as `tools/list` has it. */
export interface ListedTool {
  name: string;
  inputSchema: Record<string, unknown>;
}

/** Methods of MCP that take a text, with parameters that hold it at the given places. */
const METHODS: [method: string, params: Params, ...places: (string | number)[][]][] = [
  [
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    ['protocolVersion'],
    ['clientInfo', 'name'],
    ['clientInfo', 'version'],
    ['clientInfo', 'title'],
  ],
  ['tools/list', {}, ['cursor']],
  ['tools/call', { name: 'x', arguments: {} }, ['name'], ['arguments', 'x'], ['_meta', 'progressToken']],
  ['prompts/list', {}, ['cursor']],
  ['prompts/get', { name: 'x' }, ['name'], ['arguments', 'x']],
  ['resources/list', {}, ['cursor']],
  ['resources/read', { uri: 'x' }, ['uri']],
  ['resources/subscribe', { uri: 'x' }, ['uri']],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'x', value: 'x' } },
    ['ref', 'name'],
    ['argument', 'name'],
    ['argument', 'value'],
  ],
  ['logging/setLevel', { level: 'info' }, ['level']],
];

/** Returns a message for each text of each method and of each argument of the listed tools. */
export function oddFrames(tools: ListedTool[]): { method: string; params: Params }[] {
  const document = { paths: {}, components: { schemas: {}, responses: {} } };
  const calls = tools.flatMap(({ name, inputSchema }) => {
    const usual = sampleOf(document, inputSchema, 'x');
    return textPlaces(document, inputSchema).map((place) => (text: string) => ({
      method: 'tools/call',
      params: { name, arguments: withValue(usual, place, text) },
    }));
  });
  const methods = METHODS.flatMap(([method, params, ...places]) =>
    places.map((place) => (text: string) => ({ method, params: withValue(params, place, text) as Params })),
  );
  return [...methods, ...calls].flatMap((make, at) => oddTextsAt(at).map((text) => make(text)));
}
