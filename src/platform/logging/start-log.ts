import { isatty } from 'node:tty';
import { VERSION } from '../config/settings.js';
import type { ExitCode } from '../exit/exit-codes.js';
import type { NewOwner } from '../users/bootstrap-owner.service.js';
import { JsonLogger, type LogForm } from './json-logger.js';

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
