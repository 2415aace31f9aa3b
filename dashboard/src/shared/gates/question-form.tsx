import type { AttentionAction } from '../../api/types';
import { Button, Buttons } from '../../parts/button';
import { TextArea } from '../../parts/field';
import { answerTo, type AnswerProps } from './answers';
import { useDraft } from '../../session/draft';
import { useAct } from './use-act';

/** One of the options, or an answer in one's own words. */
export function QuestionForm({ gate, calls }: AnswerProps) {
  const act = useAct();
  const { value: text, set: setText, discard } = useDraft(`gate ${gate.id}`, '');
  const send = (call: AttentionAction) => act.mutate(call, { onSuccess: discard });
  const written = text.trim();
  return (
    <>
      {calls.length > 0 && (
        <Buttons label="Answers">
          {calls.map((call) => (
            <Button
              key={call.label}
              look={call.body?.['option'] === gate.recommended && written === '' ? 'primary' : 'plain'}
              busy={act.isPending}
              onClick={() => send(call)}
            >
              {call.label}
            </Button>
          ))}
        </Buttons>
      )}
      <TextArea
        label="Answer in your own words"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {written !== '' && (
        <div>
          <Button
            look="primary"
            busy={act.isPending}
            onClick={() => send(answerTo(gate, 'Answer', { text: written }))}
          >
            Send the answer
          </Button>
        </div>
      )}
    </>
  );
}
