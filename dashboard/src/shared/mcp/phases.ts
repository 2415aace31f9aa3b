import type { Verification } from '../../api/types';

export type PhaseState = 'passed' | 'failed' | 'unreached' | 'unchecked';

export interface Phase {
  name: string;
  state: PhaseState;
  /** What happens in the phase, for the people who have not read the documentation. */
  says: string;
  ms: number | null;
  /** What the service found, such as the number of tools. */
  detail: string | null;
}

type Result = Pick<Verification, 'status' | 'details' | 'phases'>;
type Step = Verification['phases'][number]['phase'];

const words: Record<Step, { name: string; says: string }> = {
  runtime: { name: 'Runtime', says: 'The host has what the server needs' },
  package: { name: 'Package', says: 'The pinned package is there' },
  spawn: { name: 'Start', says: 'A fresh process starts' },
  handshake: { name: 'Handshake', says: 'The server answers in a protocol version that is known' },
  list: { name: 'List tools', says: 'The server lists its tools' },
  credentials: { name: 'Credential', says: 'A harmless tool call is accepted' },
};

/** The steps of a verification in their order, without those that such a server does not need. */
export function phasesOf({ status, details, phases }: Result): Phase[] {
  const last = phases.findLastIndex((step) => step.status !== 'skipped');
  return phases.flatMap((step, at) => {
    if (step.status === 'skipped' && at < last) return [];
    const { ms } = step;
    // The reason of a failure stands below the phases.
    const detail = step.detail === details ? null : step.detail;
    return [{ ...words[step.phase], state: stateOf(step.status, status), ms, detail }];
  });
}

function stateOf(step: Verification['phases'][number]['status'], status: Verification['status']): PhaseState {
  if (step === 'ok') return 'passed';
  if (step === 'failed') return 'failed';
  return status === 'ok' ? 'unchecked' : 'unreached';
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
