/** What a scripted model does next: a call of a tool, or a text. */
export type Step = { id: string; name: string; input: object } | { text: string };
/** What a model knows so far, as far as a script needs it. */
export interface Heard {
  tools: string[];
  /** The ids of the calls that succeeded. */
  done: string[];
  /** The ids of the calls whose results are in the last message. */
  latest: string[];
}
/** One event of a stream of server-sent events. */
export type Event = [name: string | null, data: object];

/** An API of models, in which a request is read and a step is written. */
export interface Dialect {
  path: RegExp;
  read(body: Fields): Heard;
  events(step: Step, body: Fields, count: number): Event[];
  /** The response to a request that asks for no stream. */
  whole(step: Step, body: Fields, count: number): object;
}

type Fields = Record<string, unknown>;
const list = (value: unknown) => (Array.isArray(value) ? value : []) as Fields[];
const textOf = (value: unknown) => String(value ?? '');
const isCall = (step: Step): step is Extract<Step, { name: string }> => 'name' in step;

/** Messages of Anthropic, which Claude Code speaks. */
const messages: Dialect = {
  path: /\/messages$/,
  read({ tools, messages: all }) {
    const resultsIn = (some: Fields[]) =>
      some.flatMap(({ content }) => list(content)).filter((block) => 'tool_use_id' in block);
    const ids = (blocks: Fields[]) => blocks.map((block) => textOf(block['tool_use_id']));
    return {
      tools: list(tools).map(({ name }) => textOf(name)),
      done: ids(resultsIn(list(all)).filter((block) => block['is_error'] !== true)),
      latest: ids(resultsIn(list(all).slice(-1))),
    };
  },
  events(step, { model }, count) {
    const usage = { input_tokens: 10, output_tokens: 5 };
    const message = { id: `msg_${count}`, type: 'message', role: 'assistant', model, content: [], usage };
    const block = isCall(step)
      ? { type: 'tool_use', id: step.id, name: step.name, input: {} }
      : { type: 'text', text: '' };
    const delta = isCall(step)
      ? { type: 'input_json_delta', partial_json: JSON.stringify(step.input) }
      : { type: 'text_delta', text: step.text };
    const end = { stop_reason: isCall(step) ? 'tool_use' : 'end_turn', stop_sequence: null };
    const typed = (type: string, fields: object = {}): Event => [type, { type, ...fields }];
    return [
      typed('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } }),
      typed('content_block_start', { index: 0, content_block: block }),
      typed('content_block_delta', { index: 0, delta }),
      typed('content_block_stop', { index: 0 }),
      typed('message_delta', { delta: end, usage: { output_tokens: 5 } }),
      typed('message_stop'),
    ];
  },
  whole(step, { model }, count) {
    const block = isCall(step) ? { type: 'tool_use', ...step } : { type: 'text', text: step.text };
    return {
      ...{ id: `msg_${count}`, type: 'message', role: 'assistant', model, content: [block] },
      ...{ stop_reason: isCall(step) ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { input_tokens: 10, output_tokens: 5 },
    };
  },
};

/** Responses of OpenAI, which Codex speaks. It groups the tools of a server into a namespace. */
const responses: Dialect = {
  path: /\/responses$/,
  read({ tools, input }) {
    const results = list(input).filter(({ type }) => /_output$/.test(textOf(type)));
    const done = results.map((item) => textOf(item['call_id']));
    return { tools: namespaced(tools).map(({ whole }) => whole), done, latest: done.slice(-1) };
  },
  events(step, { tools }, count) {
    const found = isCall(step) ? namespaced(tools).find(({ whole }) => whole === step.name) : undefined;
    const item = isCall(step)
      ? {
          ...{
            type: 'function_call',
            id: `fc_${count}`,
            call_id: step.id,
            name: found?.name,
            status: 'completed',
          },
          ...{
            arguments: JSON.stringify(step.input),
            ...(found?.namespace && { namespace: found.namespace }),
          },
        }
      : {
          ...{ type: 'message', id: `m_${count}`, role: 'assistant', status: 'completed' },
          content: [{ type: 'output_text', text: step.text, annotations: [] }],
        };
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    const typed = (type: string, fields: object): Event => [type, { type, ...fields }];
    return [
      typed('response.created', { response: { id: `r${count}` } }),
      typed('response.output_item.added', { output_index: 0, item }),
      typed('response.output_item.done', { output_index: 0, item }),
      typed('response.completed', { response: { id: `r${count}`, output: [item], usage } }),
    ];
  },
  whole(step, body, count) {
    return this.events(step, body, count).at(-1)![1];
  },
};

function namespaced(tools: unknown): { whole: string; name: string; namespace?: string }[] {
  return list(tools).flatMap((tool) => {
    const name = textOf(tool['name']);
    if (tool['type'] !== 'namespace') return [{ whole: name, name }];
    return list(tool['tools']).map((one) => {
      const inner = textOf(one['name']);
      return { whole: `${name}${inner}`, name: inner, namespace: name };
    });
  });
}

/** Chat Completions of OpenAI, which OpenCode speaks to compatible providers. */
const chat: Dialect = {
  path: /\/chat\/completions$/,
  read({ tools, messages: all }) {
    const results = list(all).filter(({ role }) => role === 'tool');
    const done = results.map((message) => textOf(message['tool_call_id']));
    const names = list(tools).map((tool) => textOf((tool['function'] as Fields)['name']));
    return { tools: names, done, latest: done.slice(-1) };
  },
  events(step, { model }, count) {
    const chunk = (fields: object): Event => [
      null,
      { id: `c${count}`, object: 'chat.completion.chunk', created: 1, model, ...fields },
    ];
    const choice = (delta: object, reason: string | null = null) =>
      chunk({ choices: [{ index: 0, delta, finish_reason: reason }] });
    const call = isCall(step) && {
      ...{ index: 0, id: step.id, type: 'function' },
      function: { name: step.name, arguments: JSON.stringify(step.input) },
    };
    return [
      choice(
        call
          ? { role: 'assistant', tool_calls: [call] }
          : { role: 'assistant', content: 'text' in step ? step.text : '' },
      ),
      choice({}, call ? 'tool_calls' : 'stop'),
      chunk({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } }),
    ];
  },
  whole(step, { model }, count) {
    const message = { role: 'assistant', content: 'text' in step ? step.text : '' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    return { id: `c${count}`, object: 'chat.completion', created: 1, model, choices };
  },
};

/** The API of Gemini. Its calls have no ids of their own, so a result counts by the name of the tool. */
const gemini: Dialect = {
  path: /enerateContent/,
  read({ tools, contents }) {
    const declared = list(tools).flatMap((tool) => list(tool['functionDeclarations']));
    const parts = list(contents).flatMap((content) => list(content['parts']));
    const done = parts.flatMap((part) => {
      const response = part['functionResponse'] as Fields | undefined;
      return response && !('error' in ((response['response'] ?? {}) as Fields))
        ? [idOf(textOf(response['name']))]
        : [];
    });
    return { tools: declared.map(({ name }) => textOf(name)), done, latest: done.slice(-1) };
  },
  events(step) {
    const part = isCall(step) ? { functionCall: { name: step.name, args: step.input } } : { text: step.text };
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
    const candidate = { content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 };
    return [[null, { candidates: [candidate], usageMetadata, modelVersion: 'scripted' }]];
  },
  whole(step, body, count) {
    return this.events(step, body, count)[0]![1];
  },
};

const idOf = (name: string) => (name.endsWith('add_comment') ? 'toolu_comment_' : name);

export const dialects = [messages, responses, chat, gemini];
