import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { SecretRegister } from '../encryption/masking.js';

const LEVEL_WIDTH = 5;
/** Text that needs no quotes between spaces. */
const PLAIN = /^[^\s"=]+$/;

/**
 * Rewrites one line of the log from JSON to a form for people: time, level, context, message, and every other field as
 * name=value. A text with a line break or a control character is quoted, so that an entry is always one line.
 */
export function textLine(line: string): string {
  const { time, level, context, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const parts = [
    String(time),
    String(level).toUpperCase().padEnd(LEVEL_WIDTH),
    ...(context === undefined ? [] : [`[${oneLine(String(context))}]`]),
    ...(msg === undefined ? [] : [oneLine(String(msg))]),
    ...Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name}=${valueText(value)}`),
  ];
  return `${parts.join(' ')}\n`;
}

/** JSON escapes control characters, and so does this, without the quotes. */
function oneLine(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\');
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return PLAIN.test(text) ? text : JSON.stringify(text);
}

/** Parts of the framework whose messages at start are of no use to an operator. */
const QUIET = new Set([
  'InstanceLoader',
  'RouterExplorer',
  'RoutesResolver',
  'NestFactory',
  'NestApplication',
]);

/** The form of the log. */
export interface LogForm {
  level: string;
  format: 'json' | 'text';
  /** The name of this process, where a start is divided among several. */
  process?: string | undefined;
}

/**
 * Logs one JSON object per line, or one line of text with LOG_FORMAT=text. Only fields that the code names are logged, never a body or a header, and every
 * secret value that the service knows is masked in the finished line (contract §3.3, §8).
 */
export class JsonLogger implements LoggerService {
  private readonly logger: Logger;

  constructor(
    { level, format, process }: LogForm,
    secrets: Pick<SecretRegister, 'mask'>,
    destination: DestinationStream = standardOutput(),
  ) {
    const form = format === 'text' ? textLine : (line: string) => line;
    const scrubbed: DestinationStream = { write: (line) => destination.write(form(secrets.mask(line))) };
    const base = {
      level,
      base: process === undefined ? undefined : { process },
      timestamp: pino.stdTimeFunctions.isoTime,
    };
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

  /** Logs an error; Nest passes a stack before the context. */
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

/** Lines that cannot be written are kept up to this many bytes and written before the next line. */
const KEPT_BYTES = 1024 * 1024;

/** Returns standard output with a listener for its errors. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true, maxLength: KEPT_BYTES });
  // Without a listener a full disk would end the service. The lines are kept and written later.
  return output.on('error', () => undefined);
}
