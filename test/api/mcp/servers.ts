import { readdirSync, readFileSync } from 'node:fs';
import type { InstalledServerResponse } from '../../../src/mcp/installed-servers/installed-server.dto.js';
import type { VerificationRecordResponse } from '../../../src/mcp/installed-servers/verification.response.js';
import type { ServerToolResponse } from '../../../src/mcp/server-tools/server-tool.dto.js';
import type { Answer } from '../../support/answer.js';
import { createdBy, someName } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import type { Wire } from '../../support/wire.js';

export type Installed = Wire<InstalledServerResponse>;
export type Verified = Wire<VerificationRecordResponse>;
export type Tool = Wire<ServerToolResponse>;

/** Installs an entry of the catalogue under a unique name. */
export const aServer = (caller: Caller, catalogId: string, fields: object = {}) =>
  createdBy<Installed>(caller, '/api/mcp/installed', { catalogId, name: someName('server'), ...fields });

export const pathOf = ({ id }: { id: string }) => `/api/mcp/installed/${id}`;

export const verify = (caller: Caller, server: { id: string }) =>
  caller.post<Verified>(`${pathOf(server)}/verify`);

/** Installs a server and lists its tools, which approves them. */
export async function aVerifiedServer(
  caller: Caller,
  catalogId: string,
  fields: object = {},
): Promise<Installed> {
  const server = await aServer(caller, catalogId, fields);
  const { body } = await verify(caller, server);
  if (body.status !== 'ok') throw new Error(`The server did not verify: ${body.details}\n${body.stderrTail}`);
  return server;
}

/** Returns the states of a server's tools by name. */
export async function toolStates(caller: Caller, server: { id: string }): Promise<Record<string, string>> {
  const { body } = await caller.get<Tool[]>(`${pathOf(server)}/tools`);
  return Object.fromEntries(body.map(({ name, state }) => [name, state]));
}

/** Calls a tool as an Admin and returns the text of the result. */
export async function tryOut(
  caller: Caller,
  server: { id: string },
  tool: string,
  given: object = {},
): Promise<string> {
  const { body } = await callTool(caller, server, tool, given);
  return body.content[0]!.text;
}

export type ToolResult = { content: { text: string }[]; isError: boolean };

export const callTool = (
  caller: Caller,
  server: { id: string },
  tool: string,
  given: object = {},
): Promise<Answer<ToolResult>> =>
  caller.post<ToolResult>(`${pathOf(server)}/tools/${encodeURIComponent(tool)}/call`, { arguments: given });

export const grant = (caller: Caller, server: { id: string }, agent: { id: string }, fields: object = {}) =>
  caller.put(`${pathOf(server)}/access`, { entries: [{ agentId: agent.id, granted: true, ...fields }] });

/** Returns the argument vectors of all processes of this host that contain `marker`. */
export function processesNaming(marker: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => argumentsOf(pid))
    .filter((text) => text.includes(marker));
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
