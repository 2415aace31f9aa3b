import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import type { AttentionAction, Gate } from '../../api/types';
import { Button, CopyButton } from '../../parts/button';
import { MarkedText } from '../../parts/marked-text';
import { announce, announceRefusal } from '../../parts/toasts';
import { draftsOf, useDraft } from '../../session/draft';
import { useMe } from '../../session/me';
import styles from './gates.module.css';

type Call = (path: string, init: { body?: unknown }) => Promise<unknown>;

/** Sends a call that the service offered, unchanged. */
export const send = ({ method, path, body }: AttentionAction): Promise<unknown> =>
  (api[method] as unknown as Call)(path, body === null ? {} : { body });

/** Sends one call, and says what became of it. */
export function useAct() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
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
  /** Whether the first field takes the focus, where a person opened the form to write. */
  focus?: boolean;
}

/** An answer that a person puts together, in the form of the calls that the service offers. */
export function answerOf(gateId: string, label: string, body: Record<string, unknown>): AttentionAction {
  return { label, method: 'POST', path: `/api/projects/gates/${gateId}/answer`, body, elevated: false };
}

export const answerTo = ({ id }: Gate, label: string, body: Record<string, unknown>): AttentionAction =>
  answerOf(id, label, body);

/** From this part of its limit on, a budget is listed as one that runs out (contract §8.7). */
const NEAR = 0.8;

/** By how much a budget is extended that is to be neither used up nor near its end then: as often its limit as that takes. */
export function extensionOf(limit: number, used: number): number {
  return limit * Math.max(1, Math.floor(used / (limit * NEAR)));
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

interface AnsweredMeanwhileProps {
  /** The gates whose forms are still on the screen. */
  present: ReadonlySet<string>;
  /** Leaves out the gates of other issues. */
  issueId?: string;
}

/** What a person had typed for gates that someone else has closed: nothing typed is lost without a word. */
export function AnsweredMeanwhile({ present, issueId }: AnsweredMeanwhileProps) {
  const me = useMe();
  const [, setDismissed] = useState(0);
  return draftsOf(me.id, 'gate')
    .filter((id) => !present.has(id))
    .map((id) => (
      <Kept key={id} gateId={id} issueId={issueId} onDismiss={() => setDismissed((count) => count + 1)} />
    ));
}

interface KeptProps {
  gateId: string;
  issueId: string | undefined;
  onDismiss: () => void;
}

function Kept({ gateId, issueId, onDismiss }: KeptProps) {
  const { value, discard } = useDraft<unknown>(`gate ${gateId}`, '');
  const gate = useQuery(gateQuery(gateId)).data;
  if (!gate || gate.state === 'open') return null;
  if (issueId !== undefined && gate.issue?.id !== issueId) return null;
  const text = textOf(value);
  return (
    <section className={styles.kept} role="status" aria-label={`Closed meanwhile: ${gate.title}`}>
      <p>
        <b>
          <MarkedText text={gate.title} />
        </b>
      </p>
      <p>
        <MarkedText text={`${howItEnded(gate)} Your text was not sent and is kept here:`} />
      </p>
      <p className={styles.given}>
        <MarkedText text={text} />
      </p>
      <div className="row">
        <CopyButton text={text} label="Copy your text" />
        <Button
          small
          onClick={() => {
            discard();
            onDismiss();
          }}
        >
          Dismiss
        </Button>
      </div>
    </section>
  );
}

function howItEnded({ state, answer, answeredBy }: Gate): string {
  if (state !== 'answered') return state === 'expired' ? 'It has expired.' : 'It was withdrawn.';
  const given = answer?.['option'] ?? answer?.['text'] ?? answer?.['decision'];
  const who = answeredBy?.name ?? 'Someone';
  return typeof given === 'string' ? `${who} answered: ${given}.` : `${who} answered.`;
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.filter((part) => part !== '').join('\n') : String(value);
}
