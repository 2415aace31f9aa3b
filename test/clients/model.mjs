// A model on loopback that calls the tool which it is asked to call, in the dialects of Anthropic's Messages and OpenAI's
// Responses. A prompt is `CALL n`. The result of call n is what the agent sends back to its model.
import { once } from 'node:events';
import { createServer } from 'node:http';

export class Model {
  #server = createServer((request, response) => void this.#answer(request, response));
  #asked = new Map();

  async start() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Returns a prompt, and what the agent returns to its model for the call that the prompt causes. */
  ask(name, given) {
    const id = this.#asked.size + 1;
    const result = new Promise((resolve, reject) => this.#asked.set(id, { name, given, resolve, reject }));
    return { prompt: `CALL ${id}`, result };
  }

  async #answer(request, response) {
    let text = '';
    for await (const chunk of request) text += chunk;
    const path = new URL(request.url, this.url).pathname;
    const dialect = Object.entries(dialects).find(([end]) => path.endsWith(end))?.[1];
    if (request.method !== 'POST' || !dialect) return void json(response, { input_tokens: 10, data: [] });
    const body = JSON.parse(text);
    dialect.write(response, body, this.#decide(dialect.read(body)));
  }

  #decide({ tools, prompt, results }) {
    const id = Number([...prompt.matchAll(/CALL (\d+)/g)].at(-1)?.[1] ?? 0);
    const asked = this.#asked.get(id);
    if (!asked) return { text: 'Nothing to do.' };
    const { name, given, resolve, reject } = asked;
    if (results.has(`call_${id}`)) resolve(results.get(`call_${id}`));
    else {
      const tool = tools.find((one) => one.name.endsWith(name));
      if (tool) {
        asked.isMade = true;
        return { id: `call_${id}`, tool, given };
      }
      // While the call runs, an agent may ask for something else, such as a title, with the same prompt and no tools.
      if (!asked.isMade && tools.length > 0) reject(new Error(`the agent offers its model no tool ${name}`));
    }
    return { text: `Done with call ${id}.` };
  }
}

const dialects = {
  '/messages': {
    read: ({ tools = [], messages = [] }) => {
      const blocks = messages.flatMap(({ content }) =>
        typeof content === 'string' ? [{ type: 'text', text: content }] : content,
      );
      const results = blocks.filter(({ type }) => type === 'tool_result');
      return {
        tools,
        prompt: blocks.map(({ text = '' }) => text).join('\n'),
        results: new Map(results.map(({ tool_use_id: id, content }) => [id, textOf(content)])),
      };
    },
    write: writeMessage,
  },
  '/responses': {
    read: ({ tools = [], input = [] }) => ({
      tools: tools.flatMap((one) =>
        one.type === 'namespace'
          ? one.tools.map((tool) => ({ ...tool, namespace: one.name }))
          : one.name
            ? [one]
            : [],
      ),
      prompt: input
        .filter(({ role }) => role === 'user')
        .map(({ content }) => textOf(content))
        .join('\n'),
      results: new Map(
        input
          .filter(({ type }) => type === 'function_call_output')
          .map(({ call_id: id, output }) => [id, textOf(output)]),
      ),
    }),
    write: writeResponse,
  },
};

function writeMessage(response, { model, stream }, { id, tool, given, text }) {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const base = { id: 'msg_1', type: 'message', role: 'assistant', model, stop_sequence: null, usage };
  const block = tool ? { type: 'tool_use', id, name: tool.name, input: given } : { type: 'text', text };
  const reason = tool ? 'tool_use' : 'end_turn';
  if (!stream) return void json(response, { ...base, content: [block], stop_reason: reason });
  const send = sse(response);
  send('message_start', { message: { ...base, content: [], stop_reason: null } });
  const empty = tool ? { ...block, input: {} } : { ...block, text: '' };
  send('content_block_start', { index: 0, content_block: empty });
  const delta = tool
    ? { type: 'input_json_delta', partial_json: JSON.stringify(given) }
    : { type: 'text_delta', text };
  send('content_block_delta', { index: 0, delta });
  send('content_block_stop', { index: 0 });
  send('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 5 } });
  send('message_stop', {});
  response.end();
}

function writeResponse(response, _body, { id, tool, given, text }) {
  const { name, namespace } = tool ?? {};
  const call = { type: 'function_call', id: `fc_${id}`, call_id: id, name, ...(namespace && { namespace }) };
  const item = tool
    ? { ...call, arguments: JSON.stringify(given), status: 'completed' }
    : {
        ...{ type: 'message', id: 'm_1', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text, annotations: [] }],
      };
  const details = {
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15, ...details };
  const send = sse(response);
  send('response.created', { response: { id: 'r_1' } });
  send('response.output_item.added', { output_index: 0, item });
  send('response.output_item.done', { output_index: 0, item });
  send('response.completed', { response: { id: 'r_1', output: [item], usage } });
  response.end();
}

function sse(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return (type, fields) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
}

function json(response, body) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function textOf(content) {
  if (typeof content === 'string') return content;
  if (Array.isArray(content))
    return content.map((part) => part.text ?? textOf(part.content ?? '')).join('\n');
  return JSON.stringify(content ?? '');
}
