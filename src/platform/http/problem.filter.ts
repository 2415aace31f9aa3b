import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  Catch,
  HttpException,
  Logger,
  NotFoundException,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestIdOf } from './request-id.middleware.js';
import type { KnownRoutes } from './known-routes.js';
import { problemCodes, type ProblemCode } from './problem-codes.js';
import { NotFound, Problem } from './problem.js';
import { problemText } from './problem-text.js';

/** Turns a fault of another layer, such as the database's, into a refusal; null where it is none. */
export type FaultTranslator = (fault: unknown) => Problem | null;

/** Is told every refusal before it is sent, such as to write it down. Never rejects. */
export type RefusalWitness = (request: Request, problem: Problem) => Promise<void>;

/** Answers every fault in the one form of the contract: RFC 9457 `application/problem+json` (spec §1). */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly log = new Logger(ProblemFilter.name);

  constructor(
    private readonly translate: FaultTranslator,
    private readonly routes: KnownRoutes,
    private readonly witness: RefusalWitness = () => Promise.resolve(),
  ) {}

  async catch(fault: unknown, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const problem = this.problemOf(fault, request);
    await this.witness(request, problem);
    if (response.headersSent) response.destroy();
    else sendProblem(request, response, problem);
  }

  private problemOf(fault: unknown, request: Request): Problem {
    if (fault instanceof Problem) return fault;
    const translated = this.translate(fault);
    if (translated) return translated;
    if (!isDecodable(request.path)) return new NotFound();
    if (fault instanceof NotFoundException) return this.routes.refusalOf(request.method, request.path);
    if (fault instanceof HttpException) return problemOfStatus(fault.getStatus());
    const requestId = requestIdOf(request);
    this.log.error({ requestId, fault: fault instanceof Error ? fault.stack : String(fault) });
    return new Problem('internal', `Something went wrong on our side; tell us the request id ${requestId}.`);
  }
}

/** A path that does not decode names nothing, whichever layer trips over it. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Writes a refusal as the answer of a request, be it one that Express has seen or not. */
export function sendProblem(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  const body = problemBody(request, problem);
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.statusCode = problem.status;
  response.end(body);
}

/** The body of a refusal of this request. */
export function problemBody(request: IncomingMessage & { originalUrl?: string }, problem: Problem): string {
  const { originalUrl = request.url ?? '' } = request;
  return problemText(problem, originalUrl.split('?', 1)[0]!, requestIdOf(request));
}

/** The framework's own refusals carry a status only: an unknown route, mostly. */
function problemOfStatus(status: number): Problem {
  const [code] = Object.entries(problemCodes).find(([, entry]) => entry.status === status) ?? ['internal'];
  if (code === 'not_found') return new NotFound();
  return new Problem(
    code as ProblemCode,
    `The request was refused: ${problemCodes[code as ProblemCode].title}.`,
  );
}
