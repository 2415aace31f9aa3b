import { useMutation } from '@tanstack/react-query';
import { bodyOf } from '../../api/client';
import type { CredentialSet, Server, UpgradedServer, Variable } from '../../api/types';
import type { IconName } from '../../parts/icon';
import type { Tone } from '../../parts/status';
import { announce, announceRefusal } from '../../parts/toasts';
import { mcp } from '../../session/elevated/elevated-mode';
import { namesOf } from '../../shared/mcp/effective-access';
import { useServerRefresh } from '../../shared/mcp/queries';

/** Switches a server on or off. */
export function useSwitch(server: Server) {
  const refresh = useServerRefresh();
  const on = server.status === 'disabled';
  return useMutation({
    mutationFn: () => {
      const params = { path: { id: server.id } };
      return on
        ? mcp.POST('/api/mcp/installed/{id}/enable', { params })
        : mcp.POST('/api/mcp/installed/{id}/disable', { params });
    },
    onSuccess: async () => {
      announce(`${server.name} is ${on ? 'enabled' : 'disabled'}`);
      await refresh();
    },
    onError: (error) => announceRefusal(`${server.name} was not ${on ? 'enabled' : 'disabled'}`, error),
  });
}

/** Changes the name that people see. */
export function useRename(id: string, done: () => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: (body: { name: string }) =>
      bodyOf(mcp.PUT('/api/mcp/installed/{id}', { params: { path: { id } }, body })),
    onSuccess: async () => {
      await refresh();
      done();
    },
  });
}

/** Reports what an upgrade would do (`dryRun`), or does it. */
export function useUpgrade(id: string, dryRun: boolean) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: (): Promise<UpgradedServer> =>
      bodyOf(mcp.POST('/api/mcp/installed/{id}/upgrade', { params: { path: { id }, query: { dryRun } } })),
    onSuccess: () => (dryRun ? undefined : refresh()),
  });
}

export function useRemove(id: string, done: () => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: () => mcp.DELETE('/api/mcp/installed/{id}', { params: { path: { id } } }),
    onSuccess: () => {
      done();
      return refresh();
    },
  });
}

/** Approves tools as they were read: where the server has listed another text since, none of them is approved. */
export function useApprove(id: string) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: (read: readonly { name: string; hash: string }[]) => {
      const body = { names: read.map(({ name }) => name), hashes: read.map(({ hash }) => hash) };
      return bodyOf(mcp.POST('/api/mcp/installed/{id}/tools/approve', { params: { path: { id } }, body }));
    },
    onSettled: refresh,
    onError: (error) => announceRefusal('The tools were not approved', error),
  });
}

interface Sign {
  word: string;
  icon: IconName;
  tone: Tone;
}

/** How each state of a credential set reads. */
const signs: Partial<Record<string, Sign>> = {
  ready: { word: 'Ready', icon: 'resolved', tone: 'resolved' },
  missing_variables: { word: 'Value missing', icon: 'shield', tone: 'waiting' },
  sign_in_needed: { word: 'Sign-in needed', icon: 'user', tone: 'waiting' },
  error: { word: 'Error', icon: 'error', tone: 'danger' },
  revoked: { word: 'Revoked', icon: 'disabled', tone: 'disabled' },
};

export const signOf = ({ state }: CredentialSet): Sign =>
  signs[state] ?? { word: state, icon: 'info', tone: 'plain' };

/**
 * What a state means and what to do about it; null where nothing has to be done.
 * @param canSignIn whether the server asks for a sign-in with one of its sets
 */
export function adviceOn({ state, missingEnv, signIn }: CredentialSet, canSignIn: boolean): string | null {
  switch (state) {
    case 'missing_variables':
      return `${namesOf(missingEnv)} ${missingEnv.length === 1 ? 'has' : 'have'} no value. Calls with this set fail until you enter ${missingEnv.length === 1 ? 'it' : 'them'}.`;
    case 'sign_in_needed':
      return 'There is no sign-in, or it has ended. Agents with this set do not have the tools until you sign in.';
    case 'error':
      return 'The server crashed too often with these values. Enter new ones, or try again once the cause is gone.';
    case 'revoked':
      return `The values were deleted. Agents with this set do not have the tools until you ${signIn ? 'sign in, or ' : ''}enter new ones.`;
    case 'ready':
      return canSignIn && !signIn?.signedInAt
        ? 'No one has signed in with it yet. Sign in before an agent uses it.'
        : null;
    default:
      return null;
  }
}

export type ValueState = 'set' | 'missing' | 'default' | 'not set';

/** Whether a set has a value of a variable. */
export function valueState(
  { configuredEnv, missingEnv }: CredentialSet,
  { name, default: byDefault }: Pick<Variable, 'name' | 'default'>,
): ValueState {
  if (configuredEnv.includes(name)) return 'set';
  if (missingEnv.includes(name)) return 'missing';
  return byDefault === null ? 'not set' : 'default';
}

/** The set that is open at first: the one of the address, or the only one. */
export function openAtFirst(sets: readonly CredentialSet[], chosen: string | undefined): string | null {
  if (sets.some(({ name }) => name === chosen)) return chosen!;
  return sets.length === 1 ? sets[0]!.name : null;
}

/** Values by the names of their variables; null removes an optional one. */
export type Values = Record<string, string | null>;

const path = '/api/mcp/installed/{id}/credential-sets/{name}';

export function useCreateSet(id: string, done: (name: string) => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: (body: { name: string; envValues: Values }) =>
      bodyOf(mcp.POST('/api/mcp/installed/{id}/credential-sets', { params: { path: { id } }, body })),
    onSuccess: async (_, { name }) => {
      await refresh();
      done(name);
    },
  });
}

/** Merges values into a set. No value at all lets a set in error be tried again. */
export function useChangeSet(id: string, name: string, done: () => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: (envValues: Values) =>
      bodyOf(mcp.PUT(path, { params: { path: { id, name } }, body: { envValues } })),
    onSuccess: async () => {
      await refresh();
      done();
    },
  });
}

export function useRevokeSet(id: string, name: string, done: () => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: () => bodyOf(mcp.POST(`${path}/revoke`, { params: { path: { id, name } } })),
    onSuccess: async () => {
      done();
      await refresh();
    },
  });
}

export function useDeleteSet(id: string, name: string, done: () => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: () => mcp.DELETE(path, { params: { path: { id, name } } }),
    onSuccess: async () => {
      done();
      await refresh();
    },
  });
}
