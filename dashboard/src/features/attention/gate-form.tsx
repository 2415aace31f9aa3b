import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AttentionItem } from '../../api/types';
import { Button, Buttons } from '../../parts/button';
import { TextArea } from '../../parts/field';
import { MarkedText } from '../../parts/marked-text';
import { ProblemNotice } from '../../parts/notice';
import { Skeleton } from '../../parts/skeleton';
import styles from './needs-you-screen.module.css';
import { gateQuery } from './queries';
import { useAct } from './use-act';

/** What was asked in full, and the answers that this person may give. */
export function GateForm({ item, gateId }: { item: AttentionItem; gateId: string }) {
  const gate = useQuery(gateQuery(gateId));
  const act = useAct();
  const [text, setText] = useState('');
  if (gate.isError) return <ProblemNotice title="The question cannot be shown" error={gate.error} />;
  if (!gate.data) return <Skeleton rows={2} />;
  const calls = [item.action, ...item.alternatives].filter((call) => call !== null);
  const { kind, detail, request } = gate.data;
  const given = request['arguments'];
  return (
    <div className={styles.gate}>
      {detail !== null && <MarkedText text={detail} />}
      {given !== undefined && given !== null && (
        <pre className={styles.given} tabIndex={0} role="region" aria-label="Arguments of the call">
          <MarkedText text={JSON.stringify(given, null, 2)} />
        </pre>
      )}
      {kind === 'question' && calls.length > 0 && (
        <TextArea
          label="Answer in your own words"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      <Buttons label="Answers">
        {kind === 'question' && text.trim() !== '' && (
          <Button
            look="primary"
            busy={act.isPending}
            onClick={() =>
              act.mutate({
                label: 'Answer',
                method: 'POST',
                path: `/api/projects/gates/${gateId}/answer`,
                body: { text: text.trim() },
                elevated: false,
              })
            }
          >
            Send the answer
          </Button>
        )}
        {calls.map((call) => (
          <Button
            key={call.label}
            look={call === item.action && text.trim() === '' ? 'primary' : 'plain'}
            busy={act.isPending}
            onClick={() => act.mutate(call)}
          >
            {call.label}
          </Button>
        ))}
      </Buttons>
      {calls.length === 0 && <p className="soft">This needs the role {item.needsRole} or above.</p>}
    </div>
  );
}
