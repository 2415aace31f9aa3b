import { isatty } from 'node:tty';
import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { SecretRegister } from '../encryption/masking.js';
import { VERSION } from '../config/settings.js';
import type { ExitCode } from '../exit/exit-codes.js';
import type { NewOwner } from '../users/bootstrap-owner.service.js';

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

  /** Writes nothing more. */
  silence(): void {
    this.logger.level = 'silent';
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

const STDOUT = 1;
const STDERR = 2;

/** The log of a start has no secret of a server to mask: none is open yet. */
const NO_SECRETS = { mask: (line: string) => line };

/**
 * Writes what a start has to say (contract §8.1). People, at a terminal or with LOG_FORMAT=text, get the lines for them
 * unchanged. Otherwise each is one line of the log like all others, so that a program can read everything that the process
 * writes. The summary, the Owner and the reason of a failed start are written at any LOG_LEVEL.
 */
export class StartLog {
  /** The logger of the start, in the form and at the level of the settings. */
  readonly logger: JsonLogger;
  private readonly always: JsonLogger;
  private readonly errors: JsonLogger;

  constructor(
    private readonly form: LogForm,
    private readonly isTerminal: (descriptor: number) => boolean = isatty,
  ) {
    this.logger = new JsonLogger(form, NO_SECRETS);
    this.always = new JsonLogger({ ...form, level: 'info' }, NO_SECRETS);
    this.errors = new JsonLogger({ ...form, level: 'info' }, NO_SECRETS, {
      write: (line) => void process.stderr.write(line),
    });
  }

  /** Writes one line of the summary: what the service uses, or where it is reached. */
  summary(line: string): void {
    if (this.isForPeople(STDOUT)) process.stdout.write(`${line}\n`);
    else this.always.log({ msg: line, version: VERSION }, 'Start');
  }

  /** Shows the first Owner, once; a part that a setting gave is null. No other line of the log has these secrets. */
  owner({ email, password, apiKey }: NewOwner): void {
    const msg = `This is the first start. The Owner is ${email}; this is shown once`;
    if (!this.isForPeople(STDOUT)) return this.always.log({ msg: `${msg}.`, password, apiKey }, 'Owner');
    const lines = [
      `\n${msg}:`,
      `  password: ${password ?? 'as set in BOOTSTRAP_OWNER_PASSWORD'}`,
      `  API key:  ${apiKey ?? 'as set in BOOTSTRAP_OWNER_API_KEY'}`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  }

  /** Writes why the start, or the command that `outcome` is of, failed, as the last line, to standard error. */
  failed(
    reason: string,
    exitCode: ExitCode,
    warnings: readonly string[],
    outcome = 'The service did not start.',
  ): void {
    const msg = `${outcome} ${reason}`;
    if (this.isForPeople(STDERR)) {
      for (const warning of warnings) process.stderr.write(`Warning: ${warning}\n`);
      process.stderr.write(`${msg}\n`);
      return;
    }
    for (const warning of warnings) this.errors.warn(warning, 'Settings');
    this.errors.fatal({ msg, exitCode, version: VERSION }, 'Start');
  }

  private isForPeople(descriptor: number): boolean {
    return this.form.format === 'text' || this.isTerminal(descriptor);
  }
}
