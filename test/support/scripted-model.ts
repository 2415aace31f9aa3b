import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Tool {
  name?: string;
}
interface Block {
  type: string;
  tool_use_id?: string;
  is_error?: boolean;
}
interface Request {
  model?: string;
  stream?: boolean;
  tools?: Tool[];
  messages?: { content: string | Block[] }[];
}

/**
 * A model on loopback in the dialect of Anthropic's Messages: it comments on the issue with the tools of the runner, and
 * says that it is done. A call that was refused is made again when it is asked to go on.
 */
export class ScriptedModel {
  /** How many requests there were. */
  requests = 0;
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<ScriptedModel> {
    const model = new ScriptedModel();
    model.server.listen(0, '127.0.0.1');
    await once(model.server, 'listening');
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    this.requests += 1;
    if (request.url?.includes('count_tokens')) return void json(response, { input_tokens: 10 });
    const body = (text ? JSON.parse(text) : {}) as Request;
    const message = {
      ...{ id: `msg_${this.requests}`, type: 'message', role: 'assistant', model: body.model },
      ...{ stop_sequence: null, usage: { input_tokens: 10, output_tokens: 5 } },
    };
    const block = blockFor(body, this.requests);
    const reason = block.type === 'tool_use' ? 'tool_use' : 'end_turn';
    if (!body.stream) return void json(response, { ...message, content: [block], stop_reason: reason });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (type: string, fields: object) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
    send('message_start', { message: { ...message, content: [], stop_reason: null } });
    const empty = block.type === 'tool_use' ? { ...block, input: {} } : { ...block, text: '' };
    send('content_block_start', { index: 0, content_block: empty });
    const delta =
      block.type === 'tool_use'
        ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
        : { type: 'text_delta', text: block.text };
    send('content_block_delta', { index: 0, delta });
    send('content_block_stop', { index: 0 });
    send('message_delta', {
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 5 },
    });
    send('message_stop', {});
    response.end();
  }
}

/** The id of a call says what it was for, because its result has nothing else of it. */
function blockFor({ tools = [], messages = [] }: Request, count: number) {
  const named = (end: string) => tools.map((tool) => tool.name ?? '').find((name) => name.endsWith(end));
  const resultsIn = (some: typeof messages) =>
    some.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const isDone = (call: string, some = messages) =>
    resultsIn(some).some(
      ({ tool_use_id: id, is_error: isError }) => id?.startsWith(call) && isError !== true,
    );
  const use = (name: string, id: string, input: object) => ({
    ...{ type: 'tool_use' as const, id: `${id}${count}`, name, input },
  });
  const [comment, search] = [named('add_comment'), named('ToolSearch')];
  if (isDone('toolu_comment_')) return { type: 'text' as const, text: 'I have commented.' };
  if (comment) return use(comment, 'toolu_comment_', { content: 'From the model.' });
  // Claude Code keeps the tools of servers back until the model searches for them.
  if (search && !isDone('toolu_search_', messages.slice(-1)))
    return use(search, 'toolu_search_', { query: 'select:mcp__work__platform__add_comment' });
  return { type: 'text' as const, text: `No tool among ${tools.map(({ name }) => name).join(' ')}.` };
}

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
