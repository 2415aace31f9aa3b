import { storableText } from '../storable-text.js';
import type { CredentialState, Verification, VerificationPhase } from './verification.js';

export interface PassedFacts {
  toolNames: string[];
  latencyMs: number;
  protocolVersion: string;
  serverInfo: { name: string; version: string } | null;
  credentials: CredentialState;
}

export interface FailedFacts {
  reason: string;
  phase: VerificationPhase;
  latencyMs: number;
  stderrTail: string;
  credentialsRefused: boolean;
}

/** The server greeted and listed its tools; where its credential probe was refused, that is no success. */
export function passed(facts: PassedFacts): Verification {
  const { toolNames, latencyMs, credentials } = facts;
  const told = {
    phase: 'done' as const,
    latencyMs,
    protocolVersion: storableText(facts.protocolVersion),
    serverInfo: facts.serverInfo && {
      name: storableText(facts.serverInfo.name),
      version: storableText(facts.serverInfo.version),
    },
    credentials,
  };
  const answered = `The server answered the handshake and listed ${toolNames.length} tools in ${latencyMs} ms`;
  if (credentials === 'refused') {
    const details = `${answered}, but it refused the credentials in the probe. Enter valid ones with envValues and verify again.`;
    return { status: 'error', details, stderrTail: '', ...told };
  }
  return {
    status: 'ok',
    details: `${answered}. ${WHAT_IS_PROVED[credentials]}`,
    capabilities: toolNames,
    ...told,
  };
}

/** The server did not get as far as that. */
export function failed({
  reason,
  phase,
  latencyMs,
  stderrTail,
  credentialsRefused,
}: FailedFacts): Verification {
  return {
    status: 'error',
    details: storableText(reason),
    phase,
    latencyMs,
    protocolVersion: null,
    serverInfo: null,
    credentials: credentialsRefused ? 'refused' : 'unchecked',
    stderrTail: storableText(stderrTail),
  };
}

const WHAT_IS_PROVED = {
  accepted: 'The credential probe was accepted.',
  unchecked: 'That proves nothing about credentials: they are tried with the first call that needs them.',
};
