import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import type { AttentionAction, Gate } from '../../api/types';
import { announce, announceRefusal } from '../../parts/toasts';

type Call = (path: string, init: { body?: unknown }) => Promise<unknown>;

/** Sends a call that the service offered, unchanged. */
export function useAct() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path, body }: AttentionAction) =>
      (api[method] as unknown as Call)(path, body === null ? {} : { body }),
    onSuccess: (_, { label }) => announce(`Done: ${label}`),
    onError: (error, { label }) => announceRefusal(`Not done: ${label}`, error),
    onSettled: () =>
      Promise.all(
        [keys.attention, keys.issues, keys.agents].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

/** A gate with what was asked; the arguments of a call are null for Viewers. */
export const gateQuery = (gateId: string) =>
  queryOptions({
    queryKey: [...keys.attention, 'gate', gateId],
    queryFn: () => bodyOf(api.GET('/api/projects/gates/{gateId}', { params: { path: { gateId } } })),
  });

/** What each form of an answer gets: the gate, and the calls that the service offers to this person. */
export interface AnswerProps {
  gate: Gate;
  calls: readonly AttentionAction[];
}

/** An answer that a person puts together, in the form of the calls that the service offers. */
export function answerTo({ id }: Gate, label: string, body: Record<string, unknown>): AttentionAction {
  return { label, method: 'POST', path: `/api/projects/gates/${id}/answer`, body, elevated: false };
}

/** Declines the question of a server, which learns that no person answers. */
export function withdrawalOf({ id }: Gate): AttentionAction {
  return {
    label: 'Decline',
    method: 'POST',
    path: `/api/projects/gates/${id}/withdraw`,
    body: null,
    elevated: false,
  };
}

/** The body of a decision on a call: only an approval has a scope, and an empty note is left out. */
export function decisionOf(decision: 'approve' | 'deny', scope: 'once' | 'issue', note: string) {
  const given = note.trim();
  return {
    decision,
    ...(decision === 'approve' && { scope }),
    ...(given !== '' && { note: given }),
  };
}
