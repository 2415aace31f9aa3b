import type { Verification } from '../../api/types';

export type PhaseState = 'passed' | 'failed' | 'unreached' | 'unchecked';

export interface Phase {
  name: string;
  state: PhaseState;
  /** What happens in the phase, for the people who have not read the documentation. */
  says: string;
}

type Step = Exclude<Verification['phase'], 'done'> | 'credentials';

const local: Step[] = ['runtime', 'package', 'spawn', 'handshake', 'list', 'credentials'];
const remote: Step[] = ['handshake', 'list', 'credentials'];

const words: Record<Step, { name: string; says: string }> = {
  runtime: { name: 'Runtime', says: 'The host has what the server needs' },
  package: { name: 'Package', says: 'The pinned package is there' },
  spawn: { name: 'Start', says: 'A fresh process starts' },
  handshake: { name: 'Handshake', says: 'The server answers in a protocol version that is known' },
  list: { name: 'List tools', says: 'The server lists its tools' },
  credentials: { name: 'Credential', says: 'A harmless tool call is accepted' },
};

/** What the service says about each phase of a verification, in their order. */
export function phasesOf(verification: Verification, isRemote: boolean): Phase[] {
  const steps = isRemote ? remote : local;
  const { phase } = verification;
  const end = phase === 'done' ? steps.indexOf('credentials') : steps.indexOf(phase);
  return steps.map((step, at) => ({
    ...words[step],
    state: step === 'credentials' ? credentialState(verification) : stateAt(at, end),
  }));
}

function stateAt(at: number, end: number): PhaseState {
  if (at < end) return 'passed';
  return at === end ? 'failed' : 'unreached';
}

function credentialState({ credentials, phase }: Verification): PhaseState {
  if (credentials === 'refused') return 'failed';
  if (credentials === 'accepted') return 'passed';
  return phase === 'done' ? 'unchecked' : 'unreached';
}

/** What a person can do about a verification that failed; null after one that passed. */
export function adviceOn({ status, phase, credentials }: Verification, isRemote: boolean): string | null {
  if (credentials === 'refused')
    return 'The server refused its credential. Replace it under Credentials, then verify again.';
  if (status === 'ok') return null;
  if (phase === 'runtime') return 'Install the runtime on the host that runs the service, then verify again.';
  if (phase === 'package')
    return 'The package on this host is missing or damaged. Remove the server and install it again.';
  if (phase === 'list')
    return 'The server answered but did not list its tools. Its last lines often say why; a missing permission of the credential is the usual cause.';
  if (isRemote)
    return 'Check that this host may reach the address and that the credential is valid, then verify again.';
  return 'The process did not get as far as answering. Read its last lines; a wrong value under Credentials is the usual cause.';
}
