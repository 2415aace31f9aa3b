import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { v7 as uuidv7 } from 'uuid';
import {
  NotFound,
  Problem,
  type ProblemCode,
  problemCodes,
  problemText,
  ValidationFailed,
} from './problem.js';
import { requestIdOf } from './request-id-and-traceparent.js';
import type { KnownRoutes } from './routes.js';

/**
 * Answers violations of HTTP in the form of all errors (contract §1): Node's own responses to them have no body.
 * @param mayTakeLonger whether the limit of a whole request does not hold for what a connection receives now
 */
export function answerProtocolErrors(server: Server, mayTakeLonger: (socket: Duplex) => boolean): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') refuse(socket, problemOf(error));
    else if (!mayTakeLonger(socket)) end(socket, '408 Request Timeout', '');
  });
  server.on('connect', (_, socket: Duplex) => {
    // The connection ends with the response, whether or not the client receives it.
    socket.on('error', () => undefined);
    refuse(
      socket,
      new Problem('method_not_allowed', 'The service is not a proxy and does not accept CONNECT.'),
    );
  });
  // An unknown expectation is no reason to reject a request.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

function problemOf({ code }: NodeJS.ErrnoException): Problem {
  const message =
    code === 'HPE_HEADER_OVERFLOW'
      ? 'address and headers may have at most 16 KiB together'
      : 'this is not an HTTP/1.1 request';
  return new ValidationFailed([{ path: '', message }]);
}

function refuse(socket: Duplex, problem: Problem): void {
  const statusText = problem.status === 405 ? '405 Method Not Allowed' : '400 Bad Request';
  end(socket, statusText, problemText(problem, '', uuidv7()));
}

function end(socket: Duplex, status: string, body: string): void {
  const type = body ? 'Content-Type: application/problem+json\r\n' : '';
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  socket.end(`HTTP/1.1 ${status}\r\n${type}${length}Connection: close\r\n\r\n${body}`);
}

/** Translates an error of another layer, such as the database's, into a Problem; returns null for other errors. */
export type ErrorTranslator = (error: unknown, request: IncomingMessage) => Problem | null;

/** Receives every Problem before it is sent, for instance to record it. Never rejects. */
export type RefusalObserver = (request: IncomingMessage, problem: Problem) => Promise<void>;

/** Answers every error in the form of RFC 9457, `application/problem+json` (contract §1). */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly log = new Logger(ProblemFilter.name);

  constructor(
    private readonly translate: ErrorTranslator,
    private readonly routes: KnownRoutes,
    private readonly witness: RefusalObserver = () => Promise.resolve(),
  ) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    await this.refuse(error, http.getRequest<Request>(), http.getResponse<Response>());
  }

  /** Answers a request, also one that Express has not seen, with the Problem that an error stands for. */
  async refuse(error: unknown, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const problem = this.problemOf(error, request);
    await this.witness(request, problem);
    if (response.headersSent) response.destroy();
    else sendProblem(request, response, problem);
  }

  private problemOf(error: unknown, request: IncomingMessage): Problem {
    const path = pathOf(request);
    if (error instanceof Problem) return error;
    const translated = this.translate(error, request);
    if (translated) return translated;
    if (!isDecodable(path)) return new NotFound();
    if (error instanceof NotFoundException) return this.routes.refusalOf(request.method ?? 'GET', path);
    if (error instanceof HttpException) return problemOfStatus(error.getStatus());
    const requestId = requestIdOf(request);
    this.log.error({ requestId, error: error instanceof Error ? error.stack : String(error) });
    return new Problem('internal', `The service failed. Report the request id ${requestId} to its operator.`);
  }
}

/** Whether a path cannot be decoded: it names nothing, whichever layer rejects it. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    // The only error is a malformed escape sequence.
    return false;
  }
}

/** Returns the path of a request, with or without Express: a router shortens `url` and keeps the whole in `originalUrl`. */
export function pathOf(request: IncomingMessage & { originalUrl?: string }): string {
  const { originalUrl = request.url ?? '' } = request;
  return originalUrl.split('?', 1)[0]!;
}

/** Sends a Problem as the response of a request, whether or not Express has seen it. */
export function sendProblem(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  const body = problemBody(request, problem);
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.statusCode = problem.status;
  response.end(body);
}

/** Returns the body of a Problem for this request. */
export function problemBody(request: IncomingMessage, problem: Problem): string {
  return problemText(problem, pathOf(request), requestIdOf(request));
}

/** Translates the framework's own errors, which have only a status; most are unknown routes. */
function problemOfStatus(status: number): Problem {
  const [code] = Object.entries(problemCodes).find(([, entry]) => entry.status === status) ?? ['internal'];
  if (code === 'not_found') return new NotFound();
  return new Problem(
    code as ProblemCode,
    `The request was refused: ${problemCodes[code as ProblemCode].title}.`,
  );
}
