import { Server, type JSONRPCRequest, type Result, type ServerContext } from '@modelcontextprotocol/server';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/**
 * The SDK's server without its look into results. It would drop what its schemas do not know and turn what they
 * refuse into errors of its own, while a gateway passes on what servers answer, unchanged (spec §7).
 */
export class PassThroughServer extends Server {
  protected override _wrapHandler(_method: string, handler: Handler): Handler {
    return handler;
  }
}
