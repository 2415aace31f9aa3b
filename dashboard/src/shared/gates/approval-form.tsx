import { useState } from 'react';
import { Button, Buttons } from '../../parts/button';
import { TextField } from '../../parts/field';
import { Segments } from '../../parts/segments';
import { answerTo, decisionOf, type AnswerProps } from './answers';
import { useDraft } from '../../session/draft';
import { useAct } from './use-act';

/** Approves or denies a tool call: for this call or for the rest of the work on the issue, with a note for the agent. */
export function ApprovalForm({ gate }: AnswerProps) {
  const act = useAct();
  const [scope, setScope] = useState<'once' | 'issue'>('once');
  const { value: note, set: setNote, discard } = useDraft(`gate ${gate.id}`, '');
  const tool = String(gate.request['toolName']);
  const decide = (decision: 'approve' | 'deny') =>
    act.mutate(
      answerTo(
        gate,
        `${decision === 'approve' ? 'Approve' : 'Deny'} the call of ${tool}`,
        decisionOf(decision, scope, note),
      ),
      { onSuccess: discard },
    );
  return (
    <>
      {gate.issue !== null && (
        <Segments
          label="An approval is for"
          value={scope}
          options={[
            ['once', 'This call'],
            ['issue', `Each call of ${tool} for ${gate.issue.key}`],
          ]}
          onChange={setScope}
        />
      )}
      <TextField
        label="Note for the agent"
        hint="The agent reads it with your decision. It may stay empty."
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <Buttons label="Answers">
        <Button look="primary" busy={act.isPending} onClick={() => decide('approve')}>
          Approve
        </Button>
        <Button look="danger" busy={act.isPending} onClick={() => decide('deny')}>
          Deny
        </Button>
      </Buttons>
    </>
  );
}
