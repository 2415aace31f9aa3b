import { SealBroken } from '../../platform/encryption/key-ring.js';
import { Problem } from '../../platform/http/problem.js';
import { cutToBytes, storableText } from '../../platform/http/text-and-instant-rules.js';
import { McpStartFailure, McpUnavailable } from '../processes/connection/mcp-errors.js';
import { LAST_OUTPUT } from '../processes/connection/open-connection.js';
import type { DefinitionWarning } from '../server-records/definition-rules-and-warnings.js';
import {
  type CredentialState,
  type StepResult,
  type Verification,
  type VerificationPhase,
  type VerificationStep,
  verificationSteps,
} from '../server-records/server-records.entities.js';

interface Entered {
  phase: VerificationStep;
  at: number;
  detail: string | null;
}

/** Measures the steps of one verification. */
export class StepClock {
  private readonly entered: Entered[] = [];

  /** @param needless the steps that this kind of server does not need: they are skipped unless they fail */
  constructor(
    private readonly needless: readonly VerificationStep[],
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Ends the present step and begins the next one. Entering the present step again changes nothing. */
  enter(phase: VerificationStep): void {
    if (this.entered.at(-1)?.phase !== phase) this.entered.push({ phase, at: this.now(), detail: null });
  }

  /** Says what the present step found. */
  found(detail: string): void {
    const present = this.entered.at(-1);
    if (present) present.detail = storableText(detail);
  }

  /**
   * Returns all steps in order. A server that is started again, to try another protocol era, passes through the same
   * steps twice: their times add up.
   * @param last how the step that was entered last ended; the others succeeded
   */
  results(last: Pick<StepResult, 'status' | 'detail'>): StepResult[] {
    const end = this.now();
    const ended = this.entered.map((one, at) => ({ ...one, ms: (this.entered[at + 1]?.at ?? end) - one.at }));
    return verificationSteps.map((phase) => {
      const parts = ended.filter((one) => one.phase === phase);
      const isLast = ended.at(-1)?.phase === phase;
      if (parts.length === 0 || (!isLast && this.needless.includes(phase))) return skipped(phase, null);
      const { status, detail } = isLast ? last : { status: 'ok' as const, detail: null };
      const found = parts.at(-1)!.detail;
      if (status === 'skipped') return skipped(phase, detail ?? found);
      const ms = Math.round(parts.reduce((sum, part) => sum + part.ms, 0));
      return { phase, status, ms, detail: detail === null ? found : storableText(detail) };
    });
  }
}

function skipped(phase: VerificationStep, detail: string | null): StepResult {
  return { phase, status: 'skipped', ms: null, detail };
}

/** Why a verification failed, in a sentence for people with secrets masked. */
export interface VerificationFailure {
  reason: string;
  stderrTail: string;
  credentialsRefused: boolean;
}

/** Returns what is wrong with the server, or null if the error is a bug of the service. */
export function failureOf(error: unknown): VerificationFailure | null {
  if (error instanceof McpStartFailure)
    return {
      reason: error.message,
      stderrTail: error.stderrTail,
      credentialsRefused: error.credentialsRefused,
    };
  if (error instanceof McpUnavailable) return plain(error.reason);
  if (error instanceof SealBroken)
    return plain(
      'The stored credentials cannot be decrypted with the key ring of this service. Enter them again with envValues.',
    );
  return error instanceof Problem ? plain(error.detail) : null;
}

function plain(reason: string): VerificationFailure {
  return { reason, stderrTail: '', credentialsRefused: false };
}

export interface PassedFacts {
  toolNames: string[];
  warnings: DefinitionWarning[];
  latencyMs: number;
  protocolVersion: string;
  serverInfo: { name: string; version: string } | null;
  credentials: CredentialState;
  /** Whether the server was given a secret at all. */
  hasSecrets: boolean;
  /** Whether its requests carried an access token. */
  hasToken: boolean;
  /** The sentence for an entry without a credential probe; null where it has one. */
  whyUnchecked: string | null;
  steps: StepClock;
}

export interface FailedFacts {
  reason: string;
  phase: VerificationPhase;
  latencyMs: number;
  stderrTail: string;
  credentialsRefused: boolean;
  warnings: DefinitionWarning[];
  steps: StepClock;
  /** What helps against the failure, as a sentence; null where nothing is known. */
  hint?: string | null;
}

const LAST_LINES = 5;
const LAST_LINES_BYTES = 1_000;
const NO_CREDENTIALS = 'It was given no credentials.';
const WITH_TOKEN = 'It was called with an access token of its authorization server.';
const ACCEPTED = 'The credential probe was accepted.';
const UNCHECKED =
  'That proves nothing about credentials: they are tried with the first call that needs them.';

/** Returns the result for a server that listed its tools: an error if it refused the credential probe. */
export function passed(facts: PassedFacts): Verification {
  const { toolNames, latencyMs, credentials } = facts;
  const common = {
    phase: 'done' as const,
    latencyMs,
    protocolVersion: storableText(facts.protocolVersion),
    serverInfo: facts.serverInfo && {
      name: storableText(facts.serverInfo.name),
      version: storableText(facts.serverInfo.version),
    },
    credentials,
    warnings: facts.warnings,
    phases: facts.steps.results(lastStepOf(facts)),
  };
  const answered = `The server answered the handshake and listed ${toolNames.length} tools in ${latencyMs} ms`;
  if (credentials === 'refused') {
    const details = `${answered}, but it refused the credentials in the probe. Enter valid ones with envValues and verify again.`;
    return { status: 'error', details, stderrTail: '', ...common };
  }
  const details = `${answered}. ${provedBy(facts)}`;
  return { status: 'ok', details, capabilities: toolNames, ...common };
}

/** Returns the result for a server that did not get as far as listing its tools. */
export function failed({
  reason,
  phase,
  latencyMs,
  stderrTail,
  credentialsRefused,
  warnings,
  steps,
  hint = null,
}: FailedFacts): Verification {
  const said = withLastLines(reason, stderrTail);
  const details = storableText(hint === null ? said : `${said}${/[.!?]$/.test(said) ? '' : '.'} ${hint}`);
  return {
    status: 'error',
    details,
    phase,
    phases: steps.results({ status: 'failed', detail: details }),
    latencyMs,
    protocolVersion: null,
    serverInfo: null,
    credentials: credentialsRefused ? 'refused' : 'unchecked',
    warnings,
    stderrTail: storableText(stderrTail),
  };
}

/** Returns the sentence about a server that was not ready in time. What it wrote meanwhile may say what it waits for. */
export function lateReason(stderrTail: string): string {
  const late = 'The server was not ready within 30 seconds.';
  return stderrTail.trim() === '' ? late : `${late} ${LAST_OUTPUT}`;
}

/** Puts the last lines of a server that ended into the sentence about it: what they say is the reason. */
function withLastLines(reason: string, stderrTail: string): string {
  if (!reason.endsWith(LAST_OUTPUT)) return reason;
  // A server that is started twice, for the two protocol eras, says the same twice.
  const lines = [...new Set(stderrTail.split('\n').filter((line) => line.trim() !== ''))];
  const start = reason.slice(0, -LAST_OUTPUT.length);
  if (lines.length === 0) return `${start}It wrote nothing to stderr.`;
  return `${start}Its last output: ${cutToBytes(tellingLines(lines).join(' ').replace(/\s+/g, ' ').trim(), LAST_LINES_BYTES)}`;
}

/** What Node prints below the message of an error that ended the process. */
const BELOW_AN_ERROR = /^\s+at |^Node\.js v\d|^\s*[{}\]]\S?$/;
const AN_ERROR = /^\s*(Uncaught )?\w*(Error|Exception)\b.*:|^(panic|fatal)\b.*:/i;

/** Returns the last lines, or those from the last error on where more follows it. */
function tellingLines(lines: readonly string[]): string[] {
  const kept = lines.filter((line) => !BELOW_AN_ERROR.test(line));
  const error = kept.findLastIndex((line) => AN_ERROR.test(line));
  // Node shows the line of the source before an error that ends the process, with a caret below it.
  const isShown = kept.some((line) => /^\s*\^+\s*$/.test(line));
  const start = error === -1 || (error === kept.length - 1 && !isShown) ? -LAST_LINES : error;
  return kept.slice(start).slice(0, LAST_LINES);
}

function provedBy({ credentials, hasSecrets, hasToken, whyUnchecked }: PassedFacts): string {
  if (credentials === 'accepted') return ACCEPTED;
  if (hasToken) return WITH_TOKEN;
  if (!hasSecrets) return NO_CREDENTIALS;
  return whyUnchecked ? `${UNCHECKED} ${whyUnchecked}` : UNCHECKED;
}

/** How the last step, the probe of the credentials, ended. */
function lastStepOf({
  credentials,
  hasSecrets,
  hasToken,
  whyUnchecked,
}: PassedFacts): Pick<StepResult, 'status' | 'detail'> {
  if (credentials === 'accepted') return { status: 'ok', detail: null };
  if (credentials === 'refused') return { status: 'failed', detail: 'The server refused the credentials.' };
  if (hasToken) return { status: 'skipped', detail: WITH_TOKEN };
  return {
    status: 'skipped',
    detail: hasSecrets ? (whyUnchecked ?? 'They could not be tried.') : NO_CREDENTIALS,
  };
}
