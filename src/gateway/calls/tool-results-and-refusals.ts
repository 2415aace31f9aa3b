import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CallVerdict } from '../../mcp/access/effective-access-and-refusals.js';
import type { Problem } from '../../platform/http/problem.js';
import { cutToBytes } from '../../platform/http/text-and-instant-rules.js';
import { jsonText, parseJson } from '../../platform/json/exact-json.js';

/** An image in base64. */
export interface ShownImage {
  data: string;
  mimeType: string;
}

/** A value that a tool returns together with an image for the model. */
export class WithImage {
  constructor(
    readonly value: object,
    readonly image: ShownImage,
  ) {}
}

/** The result of tools/call, as far as this service makes one itself. */
export interface ToolResult extends Record<string, unknown> {
  content: ({ type: 'text'; text: string } | ({ type: 'image' } & ShownImage))[];
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
}

/** A failure that the agent's model reads and acts on, unlike a JSON-RPC error. */
export function toolFailure(sentence: string): ToolResult {
  return { content: [{ type: 'text', text: sentence }], isError: true };
}

/** A refusal with its code and members, for a model to read and a program to act on. */
export function problemResult({ code, detail, errors, members }: Problem): ToolResult {
  const structuredContent = { code, detail, ...(errors && { errors }), ...members };
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
    isError: true,
  };
}

/** Returns the result for what a tool of the platform returned. */
export function resultOf(value: object): ToolResult {
  if (!(value instanceof WithImage)) return jsonResult(value);
  const result = jsonResult(value.value);
  return { ...result, content: [...result.content, { type: 'image', ...value.image }] };
}

/** A JSON result: as text for a model, and as structured content for a program. */
export function jsonResult(value: object): ToolResult {
  const text = jsonText(value);
  return { content: [{ type: 'text', text }], structuredContent: parseJson(text) as Record<string, unknown> };
}

type Refusal = Extract<CallVerdict, { allowed: false }>;

/**
 * Returns the response to a tool call that is refused. A tool that was never granted looks like one that does not exist
 * (-32602, contract §7). A tool that was granted but cannot be used now gives a result that the model can read.
 * @throws {ProtocolError}
 */
export function answerRefused(refusal: Refusal, name: string): ToolResult {
  const sentence = presentlyUnusable(refusal);
  if (sentence) return toolFailure(sentence);
  throw notYours(name, HINTS[refusal.reason] ?? RELIST);
}

/** The same as an error, for prompts and resources, whose results have no `isError`. */
export function refusalError(refusal: Refusal, name: string): ProtocolError {
  const sentence = presentlyUnusable(refusal);
  return sentence ? new ProtocolError(ProtocolErrorCode.InternalError, sentence) : notYours(name, RELIST);
}

/** The same error for a name that does not exist and for one that is not granted to the agent. */
export function notYours(name: unknown, hint = RELIST): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown, or not granted to you: ${shown(name)}. ${hint}`,
  );
}

/** What was asked for may be as long as a frame, and its error must not be. */
function shown(name: unknown): string {
  const text = JSON.stringify(name) ?? 'nothing';
  return text.length <= MOST_SHOWN ? text : `${cutToBytes(text, MOST_SHOWN)}…`;
}

/** Explains why a server that was granted cannot be used now; returns null for a server that was not granted. */
function presentlyUnusable({ reason, server }: Refusal): string | null {
  const name = server?.serverName ?? 'The server';
  switch (reason) {
    case 'server_disabled':
      return `${name} was disabled by an admin. Go on without it, or ask for it in a comment.`;
    case 'sign_in_needed':
      return `An admin has to sign in to ${name} again for the credentials "${server?.credentialSetName}". Go on without it, or ask an admin in a comment to sign in.`;
    case 'server_error':
      return `${name} does not work at present; an admin has to fix it. Go on without it, or say so in a comment.`;
    case 'credentials_revoked':
      return `The credentials "${server?.credentialSetName}" with which you use ${name} were revoked by an admin. Go on without it, or ask an admin in a comment to enter new ones or to give you others.`;
    case 'credentials_error':
      return `${name} does not work with the credentials "${server?.credentialSetName}"; an admin has to fix them. Go on without it, or say so in a comment.`;
    case 'halted':
      return 'All agents are halted by a person: stop working, and wait until your heartbeat gives you work again.';
    case 'agent_disabled':
      return 'You are disabled by a person: stop working.';
    default:
      return null;
  }
}

const MOST_SHOWN = 256;
const RELIST = 'Your list may have changed: read it again.';
const HINTS: Partial<Record<Refusal['reason'], string>> = {
  tool_changed: 'Its server has removed it, or has changed it, which must be approved by an admin.',
  tool_invalid:
    'Its server defines it in a way that clients refuse; an admin sees why in the list of its tools.',
};
