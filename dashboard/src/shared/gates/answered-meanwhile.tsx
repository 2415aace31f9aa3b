import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Gate } from '../../api/types';
import { Button } from '../../parts/button';
import { CopyButton } from '../../parts/copy-button';
import { MarkedText } from '../../parts/marked-text';
import { draftsOf, useDraft } from '../../session/draft';
import { useMe } from '../../session/me';
import styles from './gates.module.css';
import { gateQuery } from './answers';

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
