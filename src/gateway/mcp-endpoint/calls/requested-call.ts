import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { ToolArguments } from '../../../mcp/installed-servers/tools/tool-arguments.js';

type Loose = Record<string, unknown>;

/** A tools/call as its agent sent it. */
export interface RequestedCall {
  name: unknown;
  args: ToolArguments;
  /** The other parameters. The arguments are not among them, so that no second reading of them can be sent. */
  further: Loose;
}

/** @throws {ProtocolError} for arguments that are neither absent, null nor an object */
export function requestedCallOf({ name, arguments: given, ...further }: Loose): RequestedCall {
  const args = ToolArguments.in(given);
  if (args) return { name, args, further };
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'params.arguments must be an object with the arguments by name, null, or absent.',
  );
}

/** Returns the parameters of tools/call for the server, which knows the tool by this name. */
export function paramsOf({ args, further }: RequestedCall, toolName: string): Loose {
  return { ...further, name: toolName, arguments: args.value };
}
