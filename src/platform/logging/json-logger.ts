import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { SecretRegister } from '../encryption/secret-register.js';

/** Rooms of the framework whose news at start is of no use to an operator. */
const QUIET = new Set([
  'InstanceLoader',
  'RouterExplorer',
  'RoutesResolver',
  'NestFactory',
  'NestApplication',
]);

/**
 * One JSON object a line. What is logged is an allow-list: fields that the code names, never a body or a
 * header; and every secret value that the service knows is masked in the finished line (spec §3.3, §8).
 */
export class JsonLogger implements LoggerService {
  private readonly logger: Logger;

  constructor(level: string, secrets: SecretRegister, destination: DestinationStream = standardOutput()) {
    const scrubbed: DestinationStream = { write: (line) => destination.write(secrets.mask(line)) };
    const base = { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime };
    this.logger = pino({ ...base, formatters: { level: (label) => ({ level: label }) } }, scrubbed);
  }

  log(message: unknown, context?: string): void {
    if (context !== undefined && QUIET.has(context)) this.write('debug', message, context);
    else this.write('info', message, context);
  }

  warn(message: unknown, context?: string): void {
    this.write('warn', message, context);
  }

  debug(message: unknown, context?: string): void {
    this.write('debug', message, context);
  }

  verbose(message: unknown, context?: string): void {
    this.write('trace', message, context);
  }

  /** Nest passes a stack before the context. */
  error(message: unknown, ...rest: string[]): void {
    this.write('error', message, rest.at(-1));
  }

  fatal(message: unknown, context?: string): void {
    this.write('fatal', message, context);
  }

  private write(level: pino.Level, message: unknown, context: string | undefined): void {
    if (message !== null && typeof message === 'object') this.logger[level]({ context, ...message });
    else this.logger[level]({ context }, String(message));
  }
}

/** What can't be written now is kept up to this many bytes, and comes with the next line that can. */
const KEPT_BYTES = 1024 * 1024;

/** A disk without room for the log must not end the service: an error that nobody hears would. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true, maxLength: KEPT_BYTES });
  return output.on('error', () => undefined);
}
