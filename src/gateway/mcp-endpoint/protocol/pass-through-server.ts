import { Server, type JSONRPCRequest, type Result, type ServerContext } from '@modelcontextprotocol/server';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/**
 * The SDK's server without validation of results. The SDK would drop unknown fields and replace invalid results by errors
 * of its own. A gateway passes on the responses of servers unchanged (contract §7).
 */
export class PassThroughServer extends Server {
  protected override _wrapHandler(_method: string, handler: Handler): Handler {
    return handler;
  }
}
