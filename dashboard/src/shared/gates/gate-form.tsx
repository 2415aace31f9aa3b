import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AttentionAction, AttentionItem, Gate } from '../../api/types';
import { Button, Buttons } from '../../parts/button';
import { Segments, TextArea, TextField } from '../../parts/field';
import { MarkedText } from '../../parts/marked-text';
import { ProblemNotice, Skeleton } from '../../parts/notice';
import { Tag } from '../../parts/status';
import { Ago } from '../../parts/time';
import { useDraft } from '../../session/draft';
import { hasRole, useMe } from '../../session/me';
import { fieldLabels, perUnit, type Measure } from '../usage/queries';
import { type AnswerProps, answerTo, decisionOf, extensionOf, gateQuery, useAct } from './answers';
import styles from './gates.module.css';
import { ServerQuestionForm } from './server-question-form';

/** Approves or denies a tool call: for this call or for the rest of the work on the issue, with a note for the agent. */
function ApprovalForm({ gate, focus }: AnswerProps) {
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
        autoFocus={focus}
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

/** One of the options, or an answer in one's own words. */
function QuestionForm({ gate, calls, focus }: AnswerProps) {
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
        autoFocus={focus}
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

/** Extends a budget that is used up by as much as a person says, or keeps the work stopped. */
function BudgetForm({ gate, calls, focus }: AnswerProps) {
  const act = useAct();
  const measure = gate.request['measure'] as Measure;
  const unit = perUnit[measure];
  const label = fieldLabels[measure];
  const [more, setMore] = useState(() =>
    String(extensionOf(Number(gate.request['limit']), Number(gate.request['used'])) / unit),
  );
  const by = Math.round(Number(more) * unit);
  return (
    <>
      <TextField
        label={`Extend by (${label[0]!.toLowerCase()}${label.slice(1)})`}
        hint="In this period only. The limit itself stays as it is."
        type="number"
        autoFocus={focus}
        min={0}
        step="any"
        value={more}
        onChange={({ target }) => setMore(target.value)}
      />
      <Buttons label="Answers">
        <Button
          look="primary"
          busy={act.isPending}
          aria-disabled={!(by >= 1)}
          onClick={() =>
            by >= 1 && act.mutate(answerTo(gate, 'Extend the budget', { decision: 'extend', by }))
          }
        >
          Extend
        </Button>
        {calls.map((call) => (
          <Button key={call.label} busy={act.isPending} onClick={() => act.mutate(call)}>
            {call.label}
          </Button>
        ))}
      </Buttons>
    </>
  );
}

/** Nothing waits here for a person: the page of the issue shows the checks. */
const ChecksNote = () => <p className="soft">It ends with the checks of the pull requests.</p>;

const forms = { question: QuestionForm, approval: ApprovalForm, budget: BudgetForm, checks: ChecksNote };

interface GateFormProps {
  item: AttentionItem;
  gateId: string;
  /** Whether it was opened within a row that says what is asked, and shows the call. */
  within?: boolean;
}

/** What was asked in full, and the answers that this person may give. */
export function GateForm({ item, gateId, within = false }: GateFormProps) {
  const gate = useQuery(gateQuery(gateId));
  const me = useMe();
  if (gate.isLoadingError) return <ProblemNotice title="The question cannot be shown" error={gate.error} />;
  if (!gate.data) return <Skeleton rows={2} />;
  const calls = [item.action, ...item.alternatives].filter((call) => call !== null);
  const Form = 'schema' in gate.data.request ? ServerQuestionForm : forms[gate.data.kind];
  // A question without options has no call that the service could offer, and is answered in one's own words.
  const isOpen = gate.data.kind === 'question' && gate.data.options.length === 0;
  const mayAnswer = calls.length > 0 || (isOpen && hasRole(me, item.needsRole));
  return (
    <div className={styles.gate}>
      {!within && gate.data.detail !== null && <MarkedText text={gate.data.detail} />}
      {!within && <CallFacts gate={gate.data} />}
      {mayAnswer ? (
        <Form gate={gate.data} calls={calls} focus={within} />
      ) : (
        <p className="soft">This needs the role {item.needsRole} or above.</p>
      )}
    </div>
  );
}

/** What a person should know of a call before it is approved, read by its gate. */
export function CallToApprove({ gateId }: { gateId: string }) {
  const gate = useQuery(gateQuery(gateId));
  if (gate.isLoadingError) return <ProblemNotice title="The call cannot be shown" error={gate.error} />;
  return gate.data ? <CallFacts gate={gate.data} /> : <Skeleton rows={2} />;
}

/** The hints that the server gives about a tool: its own claims, which nothing checks. */
const hints = [
  ['readOnlyHint', true, 'Says it only reads'],
  ['readOnlyHint', false, 'Says it changes data'],
  ['destructiveHint', true, 'Says it may destroy data'],
  ['destructiveHint', false, 'Says it destroys nothing'],
  ['openWorldHint', true, 'Says it reaches outside systems'],
] as const;

/** What the server says about the tool, what its agent wrote last about the issue, and the arguments. */
function CallFacts({ gate: { kind, request, agent, lastWords } }: { gate: Gate }) {
  if (kind !== 'approval') return null;
  const { annotations, description, serverName } = request as Record<string, unknown> & {
    annotations?: Record<string, unknown>;
  };
  const said = hints.filter(([name, value]) => annotations?.[name] === value);
  return (
    <div className={styles.call}>
      {typeof description === 'string' && (
        <p className={styles.about}>
          <span className="soft">{String(serverName)} says: </span>
          <MarkedText text={description} />
        </p>
      )}
      {said.length > 0 && (
        <p className="row">
          {said.map(([, , words]) => (
            <Tag key={words} tone={words.includes('destroy data') ? 'danger' : 'plain'}>
              {words}
            </Tag>
          ))}
        </p>
      )}
      {lastWords !== null && (
        <p className={styles.about}>
          <span className="soft">
            {agent?.name ?? 'Its agent'} wrote <Ago iso={lastWords.at} />:{' '}
          </span>
          <MarkedText text={lastWords.text} />
        </p>
      )}
      <Arguments request={request} />
    </div>
  );
}

/** The arguments of a call that waits; credentials and invisible characters are masked by the service. */
function Arguments({ request }: Pick<Gate, 'request'>) {
  const { arguments: given, argumentsText: written } = request;
  if (given === undefined || given === null)
    return <p className="soft">Its arguments are not shown to you.</p>;
  return (
    <pre className={styles.given} tabIndex={0} role="region" aria-label="Arguments of the call">
      {/* The browser has rounded the numbers of which the service sends the text as well. */}
      <MarkedText text={typeof written === 'string' ? written : JSON.stringify(given, null, 2)} />
    </pre>
  );
}
