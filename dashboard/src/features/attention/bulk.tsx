import { useState } from 'react';
import type { AttentionItem } from '../../api/types';
import { useActions } from '../../keyboard/use-actions';
import { Button, Buttons, IconButton, Key } from '../../parts/button';
import { countOf, sayNumber } from '../../parts/count';
import { Dialog } from '../../parts/dialog';
import { TextArea } from '../../parts/field';
import { MarkedText } from '../../parts/marked-text';
import { useDraft } from '../../session/draft';
import { hasRole, useMe } from '../../session/me';
import { answerOf } from '../../shared/gates/answers';
import styles from './attention.module.css';
import { buttonsOf, type HasRole } from './inbox';
import type { Refusal, Step } from './inbox-work';

interface SendBackFormProps {
  /** Names what is typed, which is kept until it is sent. */
  draft: string;
  /** What goes back: one issue, or several with one reason. */
  issues: readonly { key: string }[];
  busy: boolean;
  onSend: (reason: string) => void;
  onCancel: () => void;
}

/** Asks why work goes back. The reason becomes a comment, which the agent reads at its next turn. */
export function SendBackForm({ draft, issues, busy, onSend, onCancel }: SendBackFormProps) {
  const { value: reason, set: setReason, discard } = useDraft(`send back ${draft}`, '');
  const given = reason.trim();
  const send = () => {
    if (given === '' || busy) return;
    discard();
    onSend(given);
  };
  const what = issues.length === 1 ? issues[0]!.key : countOf(issues.length, 'issue');
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextArea
        label={`Why ${what} ${issues.length === 1 ? 'goes' : 'go'} back`}
        hint="It becomes a comment. The agent reads it at its next turn."
        autoFocus
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
        }}
      />
      <Buttons>
        <Button small look="primary" type="submit" busy={busy} aria-disabled={given === ''}>
          Send back
        </Button>
        <Button small onClick={onCancel}>
          Cancel
        </Button>
      </Buttons>
    </form>
  );
}

/** What can be done with several causes at once, each action with the causes that it fits. */
function actionsOn(items: readonly AttentionItem[], has: HasRole) {
  const withButton = (label: string) =>
    items.flatMap((item) => {
      const call = buttonsOf(item, has).find((button) => button.label === label)?.call;
      return call ? [{ item, call }] : [];
    });
  const questions = items.filter(
    (item) => item.gate?.kind === 'question' && !item.gate.form && buttonsOf(item, has).length > 0,
  );
  const [first, ...others] = questions;
  const common = (first?.options ?? []).filter((option) =>
    others.every(({ options }) => options.includes(option)),
  );
  const reviews = items.filter(({ kind }) => kind === 'review');
  const backs = reviews.flatMap((item) => {
    const call = item.alternatives.find(({ body }) => body?.['status'] === 'InProgress');
    return call ? [{ item, call }] : [];
  });
  return { resolve: withButton('Resolve'), backs, questions, common };
}

interface BulkBarProps {
  items: readonly AttentionItem[];
  /** How many the filter leaves in all. */
  total: number;
  busy: boolean;
  asleep: boolean;
  onTake: (steps: readonly Step[], done: (count: number) => string) => void;
  onSnooze: () => void;
  onAll: () => void;
  onNone: () => void;
}

/** Acts on the chosen causes together: each action says how many of them it fits. */
export function BulkBar({ items, total, busy, asleep, onTake, onSnooze, onAll, onNone }: BulkBarProps) {
  const [asking, setAsking] = useState<'back' | 'answer' | null>(null);
  const me = useMe();
  const { resolve, backs, questions, common } = actionsOn(items, (role) => hasRole(me, role));
  const close = () => setAsking(null);
  const resolveAll = () => onTake(resolve, (count) => `Resolved ${countOf(count, 'issue')}`);
  useActions([
    {
      ...{
        id: 'bulk-resolve',
        name: 'Resolve the chosen',
        icon: 'check',
        group: 'This screen',
        shortcut: 'r',
      },
      available: resolve.length > 0 && !busy,
      perform: resolveAll,
    },
    {
      ...{ id: 'bulk-back', name: 'Send the chosen back', icon: 'back', group: 'This screen', shortcut: 'b' },
      available: backs.length > 0 && !busy,
      perform: () => setAsking('back'),
    },
    {
      ...{
        id: 'bulk-answer',
        name: 'Answer the chosen',
        icon: 'comment',
        group: 'This screen',
        shortcut: 'a',
      },
      available: questions.length > 0 && !busy,
      perform: () => setAsking('answer'),
    },
  ]);
  return (
    <div className={styles.bulk} role="group" aria-label="Act on the chosen">
      <b role="status">{sayNumber(items.length)} chosen</b>
      {items.length < total && (
        <Button small look="quiet" busy={busy} onClick={onAll}>
          Choose all {sayNumber(total)}
        </Button>
      )}
      {resolve.length > 0 && (
        <Button small icon="check" busy={busy} onClick={resolveAll}>
          Resolve {sayNumber(resolve.length)}
          <Key>r</Key>
        </Button>
      )}
      {backs.length > 0 && (
        <Button small icon="back" busy={busy} onClick={() => setAsking('back')}>
          Send back {sayNumber(backs.length)}…<Key>b</Key>
        </Button>
      )}
      {questions.length > 0 && (
        <Button small icon="comment" busy={busy} onClick={() => setAsking('answer')}>
          Answer {sayNumber(questions.length)}…<Key>a</Key>
        </Button>
      )}
      <Button small icon="clock" busy={busy} onClick={onSnooze}>
        {asleep ? 'Move or bring back' : 'Snooze'} {sayNumber(items.length)}
        <Key>z</Key>
      </Button>
      <span className={styles.none}>
        <IconButton small icon="close" label="Choose none" aria-keyshortcuts="Escape" onClick={onNone} />
      </span>
      {asking === 'back' && (
        <Dialog open onClose={close} title={`Send back ${countOf(backs.length, 'issue')}`} footer={null}>
          <SendBackForm
            draft="several"
            issues={backs.map(({ item }) => item.issue!)}
            busy={busy}
            onCancel={close}
            onSend={(reason) => {
              onTake(
                backs.map((step) => ({ ...step, reason })),
                (count) => `Sent back ${countOf(count, 'issue')}`,
              );
              close();
            }}
          />
        </Dialog>
      )}
      {asking === 'answer' && (
        <AnswerDialog
          questions={questions}
          options={common}
          onClose={close}
          onAnswer={(body) => {
            onTake(
              questions.map((item) => ({ item, call: answerOf(item.gateId!, 'Answer', body) })),
              (count) => `Answered ${countOf(count, 'question')}`,
            );
            close();
          }}
        />
      )}
    </div>
  );
}

interface AnswerDialogProps {
  questions: readonly AttentionItem[];
  /** Those that all of them offer. */
  options: readonly string[];
  onClose: () => void;
  onAnswer: (body: { option: string } | { text: string }) => void;
}

/** One answer for several questions: an option that all of them have, or words. */
function AnswerDialog({ questions, options, onClose, onAnswer }: AnswerDialogProps) {
  const [text, setText] = useState('');
  const given = text.trim();
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Answer ${countOf(questions.length, 'question')}`}
      onSubmit={() => given !== '' && onAnswer({ text: given })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" aria-disabled={given === ''}>
            Send to {questions.length}
          </Button>
        </>
      }
    >
      <ul className={styles.asked}>
        {questions.slice(0, 5).map(({ id, issue, title }) => (
          <li key={id}>
            {issue && <span className="mono">{issue.key} </span>}
            <MarkedText text={title} />
          </li>
        ))}
        {questions.length > 5 && <li className="soft">and {questions.length - 5} more</li>}
      </ul>
      {options.length > 0 && (
        <Buttons label="One answer for all">
          {options.map((option) => (
            <Button key={option} wraps onClick={() => onAnswer({ option })}>
              {option}
            </Button>
          ))}
        </Buttons>
      )}
      <TextArea
        label="One answer in your own words"
        autoFocus={options.length === 0}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </Dialog>
  );
}

/** What the service refused, each with its reason, until it is read. */
export function Refused({ refusals, onDismiss }: { refusals: readonly Refusal[]; onDismiss: () => void }) {
  return (
    <section className={styles.refused} role="alert" aria-label="Not done">
      <h3>{refusals.length === 1 ? '1 was not done' : `${refusals.length} were not done`}</h3>
      <ul>
        {refusals.map(({ item, why }) => (
          <li key={item.id}>
            <b>{item.issue?.key ?? item.title}</b>: {why}
          </li>
        ))}
      </ul>
      <Button small onClick={onDismiss}>
        Dismiss
      </Button>
    </section>
  );
}
