import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AttentionItem } from '../../api/types';
import { Button, buttonClass } from '../../parts/button';
import type { IconName } from '../../parts/icon';
import { MarkedText } from '../../parts/marked-text';
import { Ink, type Tone } from '../../parts/status';
import { Since } from '../../parts/time';
import { GateForm } from '../../shared/gates/gate-form';
import { useAct } from '../../shared/gates/use-act';
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
  key_expiring: { icon: 'access', tone: 'waiting' },
  budget_near: { icon: 'info', tone: 'waiting' },
};

const otherSign = { icon: 'info', tone: 'waiting' } as const;

const verbs: Partial<Record<AttentionItem['kind'], string>> = { review: 'Review', exhausted: 'Decide' };

/** One cause: what is the case, since when, what it holds up, and what this person can do about it. */
export function Cause({ item }: { item: AttentionItem }) {
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
function Place({ item: { kind, issue, server, agent, action } }: { item: AttentionItem }) {
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
  return null;
}

/** The credential set that a sign-in is about, which the path of its call names. */
function setOf(action: AttentionItem['action']): string | undefined {
  return action?.path.split('/credential-sets/')[1]?.split('/')[0];
}
