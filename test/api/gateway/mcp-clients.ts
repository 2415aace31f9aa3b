import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  type LoggingMessageNotification,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { fetch as watchedFetch } from '../../support/worker/undici.cjs';
import type { Caller } from '../../support/caller.js';
import type { Loose } from '../../support/wire.js';

/** Both official clients without changes: the one up to 2025-11-25, and the one of 2026-07-28. */
export const clientKinds = ['sdk 1.32.2 (2025-11-25)', 'client 2.4.0 (2026-07-28)'] as const;
export type ClientKind = (typeof clientKinds)[number];

export interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** The interface that the tests use for both clients. */
export interface AgentClient {
  era: string;
  instructions: string;
  /** The number of notifications that the list of tools has changed. */
  readonly changes: number;
  tools(): Promise<Loose[]>;
  toolNames(): Promise<string[]>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<CallResult>;
  prompts(): Promise<Loose[]>;
  prompt(name: string, args?: Record<string, string>): Promise<Loose>;
  resources(): Promise<Loose[]>;
  templates(): Promise<Loose[]>;
  read(uri: string): Promise<Loose>;
  complete(params: unknown): Promise<Loose>;
  close(): Promise<void>;
}

export interface CallResult {
  isError?: boolean;
  /** The text of the first content block. */
  text: string;
  structuredContent?: Loose;
  raw: Loose;
}

/** A session of the old era that subscribes to single resources. */
export interface Subscriber {
  /** The addresses of the notifications that it received, in order. */
  readonly updated: string[];
  subscribe(uri: string): Promise<unknown>;
  unsubscribe(uri: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Uses the old client only: in the new era the gateway passes on no notifications of single resources. */
export async function connectSubscriber(agent: Caller): Promise<Subscriber> {
  const client = new OldClient({ name: 'test', version: '1' });
  const updated: string[] = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void updated.push(params.uri),
  );
  const requestInit = { headers: { authorization: `Bearer ${agent.key}` } };
  await client.connect(
    new OldTransport(new URL(`${agent.service.baseUrl}/mcp`), { requestInit, fetch: fetchOf(agent) }),
  );
  const subscriber = {
    updated,
    subscribe: (uri: string) => client.subscribeResource({ uri }),
    unsubscribe: (uri: string) => client.unsubscribeResource({ uri }),
    close: () => client.close(),
  };
  open.push(subscriber);
  return subscriber;
}

/** The old client itself, for its experimental methods of tasks, and for logs. */
export async function connectTasker(agent: Caller): Promise<OldClient> {
  const client = new OldClient({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${agent.key}` } };
  await client.connect(
    new OldTransport(new URL(`${agent.service.baseUrl}/mcp`), { requestInit, fetch: fetchOf(agent) }),
  );
  open.push(client);
  return client;
}

/** Collects what servers log for a client, in order. */
export function logsOf(client: OldClient): LoggingMessageNotification['params'][] {
  const told: LoggingMessageNotification['params'][] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void told.push(params));
  return told;
}

/** What a server asks, as a client receives it. */
export type Asked = { mode?: string; message: string; requestedSchema: Loose };

/** Connects a client that answers the questions of servers. */
export async function connectAnswering(
  agent: Caller,
  kind: ClientKind,
  answer: (asked: Asked) => { action: 'accept' | 'decline'; content?: Record<string, string> },
): Promise<(name: string, args?: Record<string, unknown>) => Promise<unknown>> {
  const url = new URL(`${agent.service.baseUrl}/mcp`);
  const options = {
    requestInit: { headers: { authorization: `Bearer ${agent.key}` } },
    fetch: fetchOf(agent),
  };
  const capabilities = { elicitation: {} };
  const info = { name: 'test', version: '1' };
  if (kind.startsWith('sdk')) {
    const client = new OldClient(info, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params as unknown as Asked));
    await client.connect(new OldTransport(url, options));
    open.push(client);
    return (name, args = {}) => client.callTool({ name, arguments: args });
  }
  const client = new Client(info, { capabilities, versionNegotiation: { mode: 'auto' } });
  client.setRequestHandler('elicitation/create', ({ params }) => answer(params as unknown as Asked));
  await client.connect(new StreamableHTTPClientTransport(url, options));
  open.push(client);
  return (name, args = {}) => client.callTool({ name, arguments: args });
}

const open: { close(): Promise<void> }[] = [];

/** Connects an agent's client to its endpoint. `closeClients` closes it. */
export async function connect(agent: Caller, kind: ClientKind, path = '/mcp'): Promise<AgentClient> {
  const url = new URL(agent.service.baseUrl + path);
  const requestInit = { headers: { authorization: `Bearer ${agent.key}` } };
  const options = { requestInit, fetch: fetchOf(agent) };
  const client = await (kind.startsWith('sdk') ? connectOld(url, options) : connectNew(url, options));
  open.push(client);
  return client;
}

/** Sends requests through the test's own fetch, which checks responses for secrets. */
function fetchOf({ service }: Caller): typeof fetch {
  return ((url: string | URL, init?: object) =>
    watchedFetch(url, { ...init, dispatcher: service.connections })) as unknown as typeof fetch;
}

interface Options {
  requestInit: RequestInit;
  fetch: typeof fetch;
}

export async function closeClients(): Promise<void> {
  await Promise.all(open.splice(0).map((client) => client.close().catch(() => undefined)));
}

async function connectOld(url: URL, options: Options): Promise<AgentClient> {
  const client = new OldClient({ name: 'test', version: '1' });
  let changes = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
  const transport = new OldTransport(url, options);
  await client.connect(transport);
  return {
    ...wrap(client, 'legacy', client.getInstructions()),
    get changes() {
      return changes;
    },
    close: async () => {
      await transport.terminateSession().catch(() => undefined);
      await client.close();
    },
  };
}

async function connectNew(url: URL, options: Options): Promise<AgentClient> {
  let changes = 0;
  const listChanged = { tools: { autoRefresh: false, onChanged: () => void (changes += 1) } };
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' }, listChanged },
  );
  client.onerror = () => undefined;
  await client.connect(new StreamableHTTPClientTransport(url, options));
  return {
    ...wrap(client, client.getProtocolEra() ?? 'none', client.getInstructions()),
    get changes() {
      return changes;
    },
    close: () => client.close(),
  };
}

function wrap(
  client: Client | OldClient,
  era: string,
  instructions = '',
): Omit<AgentClient, 'changes' | 'close'> {
  const loose = (value: unknown) => value as Loose;
  const looseList = (value: unknown) => value as Loose[];
  const either = client as Client;
  const tools = async () => looseList((await either.listTools(undefined, { cacheMode: 'refresh' })).tools);
  return {
    era,
    instructions,
    tools,
    toolNames: async () => (await tools()).map(({ name }) => String(name)),
    call: async (name, args = {}, options = {}) => {
      const parameters = { name, arguments: args };
      const raw = loose(
        await (client instanceof OldClient
          ? client.callTool(parameters, undefined, options)
          : client.callTool(parameters, options)),
      );
      return {
        isError: raw.isError as unknown as boolean | undefined,
        text: String(looseList(raw.content)[0]?.text ?? ''),
        structuredContent: raw.structuredContent,
        raw,
      };
    },
    prompts: async () => looseList((await either.listPrompts(undefined, { cacheMode: 'refresh' })).prompts),
    prompt: async (name, args) => loose(await either.getPrompt({ name, arguments: args })),
    resources: async () =>
      looseList((await either.listResources(undefined, { cacheMode: 'refresh' })).resources),
    templates: async () =>
      looseList((await either.listResourceTemplates(undefined, { cacheMode: 'refresh' })).resourceTemplates),
    read: async (uri) => loose(await either.readResource({ uri })),
    complete: async (params) => loose(await either.complete(params as Parameters<Client['complete']>[0])),
  };
}
