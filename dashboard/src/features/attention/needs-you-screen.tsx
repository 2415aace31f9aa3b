import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FocusEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { attentionQuery, causesIn, causesInAll } from '../../api/lists';
import type { AttentionItem } from '../../api/types';
import { useSteps } from '../../keyboard/use-steps';
import { Button, buttonClass } from '../../parts/button';
import { Card } from '../../parts/card';
import { Empty, ProblemNotice } from '../../parts/notice';
import type { IconName } from '../../parts/icon';
import { MarkedText } from '../../parts/marked-text';
import { More } from '../../parts/table';
import { Skeleton } from '../../parts/skeleton';
import { Ink, type Tone } from '../../parts/status';
import { Since } from '../../parts/time';
import { AnsweredMeanwhile } from '../../shared/gates/answered-meanwhile';
import { GateForm } from '../../shared/gates/gate-form';
import { useAct } from '../../shared/gates/answers';
import styles from './needs-you-screen.module.css';

/** A kind that the dashboard does not know yet has the last sign. */
const signs: Partial<Record<string, { icon: IconName; tone: Tone }>> = {
  gate: { icon: 'user', tone: 'review' },
  review: { icon: 'review', tone: 'review' },
  exhausted: { icon: 'refresh', tone: 'review' },
  stuck: { icon: 'waiting', tone: 'waiting' },
  released: { icon: 'refresh', tone: 'waiting' },
  server_error: { icon: 'error', tone: 'danger' },
  tools_changed: { icon: 'tool', tone: 'waiting' },
  agent_failing: { icon: 'error', tone: 'danger' },
  agent_silent: { icon: 'clock', tone: 'waiting' },
  credential: { icon: 'access', tone: 'danger' },
  sign_in: { icon: 'access', tone: 'danger' },
  webhook_disabled: { icon: 'error', tone: 'danger' },
  key_expiring: { icon: 'access', tone: 'waiting' },
  budget_near: { icon: 'info', tone: 'waiting' },
};

const otherSign = { icon: 'info', tone: 'waiting' } as const;

const verbs: Partial<Record<AttentionItem['kind'], string>> = { review: 'Review', exhausted: 'Decide' };

/** One cause: what is the case, since when, what it holds up, and what this person can do about it. */
function Cause({ item }: { item: AttentionItem }) {
  const [open, setOpen] = useState(false);
  const { kind, title, detail, since, blocks, gate, issue } = item;
  return (
    <li className={styles.cause} data-cause={item.id}>
      <Ink {...(signs[kind] ?? otherSign)} />
      <div className={styles.text}>
        <h3>
          <MarkedText text={title} />
        </h3>
        <p className={styles.meta}>
          {gate && issue && <span className="mono">{issue.key} </span>}
          {detail && <MarkedText text={`${detail} `} />}
          For <Since iso={since} />
          {blocks.issues > 0 && (
            <b>
              {' '}
              · holds up {blocks.issues} {blocks.issues === 1 ? 'issue' : 'issues'}
            </b>
          )}
        </p>
      </div>
      <div className="row" data-controls="">
        {gate ? (
          <Button small aria-expanded={open} onClick={() => setOpen(!open)}>
            Decide
          </Button>
        ) : (
          <Calls item={item} />
        )}
        <Place item={item} />
      </div>
      {gate && open && (
        <div className={styles.gate}>
          <GateForm item={item} gateId={gate.id} said={detail} />
        </div>
      )}
    </li>
  );
}

/** The recommended call; servers are managed on their own screen, in elevated mode. */
function Calls({ item: { action } }: { item: AttentionItem }) {
  const act = useAct();
  if (action === null || action.elevated) return null;
  return (
    <Button small look="primary" busy={act.isPending} onClick={() => act.mutate(action)}>
      {action.label}
    </Button>
  );
}

/** Where the cause is looked at. */
function Place({ item: { kind, issue, server, agent, webhook, action } }: { item: AttentionItem }) {
  if (issue)
    return (
      <Link to="/i/$key" params={{ key: issue.key }} className={buttonClass({ small: true })}>
        {verbs[kind] ?? 'Open'}
        <span className="sr-only"> {issue.key}</span>
      </Link>
    );
  if (server && kind === 'sign_in')
    return (
      <Link
        to="/servers/$id/credentials"
        params={{ id: server.id }}
        search={{ set: setOf(action) }}
        className={buttonClass({ small: true, look: 'primary' })}
      >
        Sign in<span className="sr-only"> to {server.name}</span>
      </Link>
    );
  if (server)
    return (
      <Link to="/servers/$id" params={{ id: server.id }} className={buttonClass({ small: true })}>
        Open<span className="sr-only"> {server.name}</span>
      </Link>
    );
  if (agent)
    return (
      <Link to="/agents/$id" params={{ id: agent.id }} className={buttonClass({ small: true })}>
        Open<span className="sr-only"> {agent.name}</span>
      </Link>
    );
  if (webhook)
    return (
      <Link to="/settings/webhooks/$id" params={{ id: webhook.id }} className={buttonClass({ small: true })}>
        Open<span className="sr-only"> the webhook {webhook.name}</span>
      </Link>
    );
  return null;
}

/** The credential set that a sign-in is about, which the path of its call names. */
function setOf(action: AttentionItem['action']): string | undefined {
  return action?.path.split('/credential-sets/')[1]?.split('/')[0];
}

/** The control of each row that takes the focus: what decides, or leads to the decision. */
const FIRST_CONTROL = '[data-cause] [data-controls] > :first-child';

/**
 * Gives the focus to the row that follows when the row that had it is gone, because it was decided here or elsewhere.
 * Otherwise people with a keyboard would begin again at the top of the page.
 */
export function useKeptFocus(list: RefObject<HTMLElement | null>, ids: readonly string[]) {
  const last = useRef<{ id: string; index: number } | null>(null);
  useLayoutEffect(() => {
    const { current } = last;
    if (current === null || ids.includes(current.id)) return;
    last.current = null;
    if (document.activeElement !== document.body) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(FIRST_CONTROL) ?? [])];
    rows[Math.min(current.index, rows.length - 1)]?.focus();
  }, [list, ids]);
  return ({ target }: FocusEvent<HTMLElement>): void => {
    const id = target.closest<HTMLElement>('[data-cause]')?.dataset['cause'];
    last.current = id === undefined ? null : { id, index: ids.indexOf(id) };
  };
}

/** What only a person can do: one row per cause, what holds up most first. */
export function NeedsYouScreen() {
  const attention = useInfiniteQuery(attentionQuery());
  const items = useMemo(() => causesIn(attention.data), [attention.data]);
  if (attention.isLoadingError)
    return (
      <ProblemNotice
        title="What needs you cannot be shown"
        error={attention.error}
        onRetry={() => void attention.refetch()}
      />
    );
  if (!attention.data) return <Skeleton rows={4} label="Loading what needs you" />;
  const total = causesInAll(attention.data);
  const present = new Set(items.flatMap(({ gate }) => (gate ? [gate.id] : [])));
  if (items.length === 0)
    return (
      <Card title="Decisions" flush>
        <AnsweredMeanwhile present={present} />
        <Empty icon="resolved" title="Nothing needs you">
          Work that waits for a person’s decision appears here as soon as an agent asks for it.
        </Empty>
      </Card>
    );
  return (
    <Card
      title="Decisions"
      count={total}
      flush
      footer={
        attention.hasNextPage && (
          <More
            shown={items.length}
            total={total}
            busy={attention.isFetchingNextPage}
            onMore={() => void attention.fetchNextPage()}
          />
        )
      }
    >
      <AnsweredMeanwhile present={present} />
      <Causes items={items} />
    </Card>
  );
}

function Causes({ items }: { items: readonly AttentionItem[] }) {
  const list = useRef<HTMLUListElement>(null);
  const ids = useMemo(() => items.map(({ id }) => id), [items]);
  const keepFocus = useKeptFocus(list, ids);
  useSteps(list, { selector: FIRST_CONTROL, noun: 'decision' });
  return (
    <ul ref={list} onFocus={keepFocus}>
      {items.map((item) => (
        <Cause key={item.id} item={item} />
      ))}
    </ul>
  );
}
