import { Link } from '@tanstack/react-router';
import { memo, type MouseEvent, useRef } from 'react';
import type { AttentionItem } from '../../api/types';
import { Button, Buttons, IconButton, Key } from '../../parts/button';
import { countOf } from '../../parts/count';
import { later } from '../../parts/later';
import { MarkedText } from '../../parts/marked-text';
import { Skeleton } from '../../parts/notice';
import { Ink, Tag } from '../../parts/status';
import { fullTime, shortTime, Since } from '../../parts/time';
import { Avatar } from '../../parts/who';
import { hasRole, useMe } from '../../session/me';
import styles from './attention.module.css';
import { buttonsOf, type InboxRow, placeOf, ROW, type RowButton, signOf, wordsOf } from './inbox';

/** Loaded with the first row that needs them. */
const loading = <Skeleton rows={2} />;
const GateForm = later(async () => (await import('../../shared/gates/gate-form')).GateForm, loading);
const CallToApprove = later(
  async () => (await import('../../shared/gates/gate-form')).CallToApprove,
  loading,
);
const SendBackForm = later(async () => (await import('./bulk')).SendBackForm, loading);

/** What a row asks its list to do. It stays the same, so that a row is drawn again only where it changes itself. */
export interface RowCommands {
  press: (row: InboxRow, button: RowButton) => void;
  open: (row: InboxRow | null) => void;
  choose: (row: InboxRow, range: boolean) => void;
  snooze: (row: InboxRow) => void;
  apart: (groupId: string) => void;
  sendBack: (row: InboxRow, reason: string) => void;
}

interface CauseRowProps {
  row: InboxRow;
  /** Whether the row has the focus, and its keys are shown. */
  current: boolean;
  chosen: boolean;
  /** Whether its form is open. */
  open: boolean;
  busy: boolean;
  /** Whether the person may do something about any cause. */
  acts: boolean;
  on: RowCommands;
}

/** Whether a row would look the same: its causes are compared one by one, because the list makes its rows again. */
function isSame({ row: before, ...rest }: CauseRowProps, { row, ...next }: CauseRowProps): boolean {
  const names = Object.keys(rest) as (keyof typeof rest)[];
  return (
    names.every((name) => rest[name] === next[name]) &&
    before.size === row.size &&
    before.items.length === row.items.length &&
    before.items.every((item, at) => item === row.items[at])
  );
}

/** One cause: who asks what about which issue, since when, what it holds up, and what this person can do about it. */
export const CauseRow = memo(function Row({ row, current, chosen, open, busy, acts, on }: CauseRowProps) {
  const [item] = row.items;
  const titleId = `cause-${row.id}`;
  return (
    <li
      className={styles.cause}
      data-cause={row.id}
      data-chosen={chosen || undefined}
      tabIndex={-1}
      aria-labelledby={titleId}
    >
      {acts && (
        <input
          type="checkbox"
          className={styles.choose}
          aria-label={`Choose ${item.issue?.key ?? item.title}`}
          checked={chosen}
          readOnly
          onClick={(event: MouseEvent) => on.choose(row, event.shiftKey)}
        />
      )}
      <span className={styles.sign}>
        <Ink {...signOf(item)} />
      </span>
      <div className={styles.main}>
        <Words row={row} titleId={titleId} acts={acts} on={on} />
        {acts && (
          <div className={styles.controls}>
            {!open && <Answers row={row} current={current} busy={busy} on={on} />}
            <IconButton icon="clock" label={snoozeWords(item)} small onClick={() => on.snooze(row)} />
          </div>
        )}
      </div>
      <Below row={row} open={open} busy={busy} acts={acts} on={on} />
    </li>
  );
}, isSame);

const snoozeWords = ({ snoozedUntil }: AttentionItem): string =>
  snoozedUntil === null ? 'Snooze' : 'Change when it comes back';

function Words({ row, titleId, acts, on }: Pick<CauseRowProps, 'row' | 'acts' | 'on'> & { titleId: string }) {
  const [item] = row.items;
  const { title, detail } = wordsOf(item);
  const place = placeOf(item);
  const text = <MarkedText text={title} />;
  return (
    <div className={styles.text}>
      <About row={row} />
      <h3 id={titleId} className={styles.title} title={title}>
        {/* The issue of a question has a link of its own. */}
        {place && !item.gate ? <Link {...place}>{text}</Link> : text}
      </h3>
      {detail !== null && (
        <p className={styles.detail}>
          <MarkedText text={detail} />
        </p>
      )}
      <Together row={row} acts={acts} on={on} />
    </div>
  );
}

/** Which issue, and whose: the first line of a row. */
function About({ row: { items, size } }: { row: InboxRow }) {
  const [item] = items;
  const { agent, issue, blocks, since, snoozedUntil } = item;
  const isGroup = size > 1 && item.group !== null;
  return (
    <p className={styles.meta}>
      {isGroup ? <b>{asked(item.group!.agents, size)}</b> : <Subject item={item} />}
      {!isGroup && agent && (issue || item.gate) && (
        <Link to="/agents/$id" params={{ id: agent.id }} className={styles.who}>
          <Avatar party={{ type: 'agent', name: agent.name }} />
          <span className={styles.clip}>{agent.name}</span>
        </Link>
      )}
      <span className={styles.since}>
        for <Since iso={since} />
      </span>
      {!isGroup && blocks.issues > 0 && (
        <b className={styles.since}>holds up {countOf(blocks.issues, 'issue')}</b>
      )}
      {snoozedUntil !== null && (
        <span title={fullTime(snoozedUntil)}>
          <Tag icon="clock">{`Back ${shortTime(snoozedUntil)}`}</Tag>
        </span>
      )}
    </p>
  );
}

const asked = (agents: number, times: number): string =>
  agents > 1 ? `${agents} agents ask this` : `Asked ${times} times`;

/** The issue with its title where the row says something else in large, or the word of the kind. */
function Subject({ item }: { item: AttentionItem }) {
  const { issue, gate } = item;
  const { about } = wordsOf(item);
  if (!issue) return <span>{about}</span>;
  const key = <span className="mono">{issue.key}</span>;
  if (!gate)
    return (
      <span className={styles.issue}>
        {key} {about}
      </span>
    );
  return (
    <Link to="/i/$key" params={{ key: issue.key }} className={styles.issue} title={issue.title}>
      {key}
      <span className={styles.clip}>{issue.title}</span>
    </Link>
  );
}

/** So many issues of a group are named. */
const NAMED = 6;

/** The issues of equal questions, with the way to answer each by itself. */
function Together({ row: { items, size }, acts, on }: Pick<CauseRowProps, 'row' | 'acts' | 'on'>) {
  const group = items[0].group;
  if (size === 1 || group === null) return null;
  return (
    <p className={styles.detail}>
      {items.slice(0, NAMED).map(({ id, issue }) =>
        issue ? (
          <Link key={id} to="/i/$key" params={{ key: issue.key }} className={styles.key} title={issue.title}>
            {issue.key}
          </Link>
        ) : null,
      )}
      {size > NAMED && <span>and {size - NAMED} more</span>}
      {acts && (
        <button type="button" className={styles.link} onClick={() => on.apart(group.id)}>
          Answer each by itself
        </button>
      )}
    </p>
  );
}

/** The buttons of a row; the first nine have a key. They keep their places when the keys are shown. */
function Answers({ row, current, busy, on }: Pick<CauseRowProps, 'row' | 'current' | 'busy' | 'on'>) {
  const me = useMe();
  const [item] = row.items;
  const buttons = buttonsOf(item, (role) => hasRole(me, role));
  if (buttons.length === 0) return <NoAnswer item={item} />;
  const writes = item.gate && row.size === 1 && !buttons.some(({ call }) => call === null);
  return (
    <Buttons label={row.size > 1 ? `Answer all ${row.size}` : 'Answers'}>
      {buttons.map((button, at) => (
        <Button
          key={button.label}
          small
          look={button.look}
          className={styles.option}
          title={button.look === 'primary' && item.gate ? `${button.label} (recommended)` : button.label}
          busy={busy}
          onClick={() => on.press(row, button)}
        >
          <span className={styles.clip}>{button.label}</span>
          {current && at < 9 && <Cap>{String(at + 1)}</Cap>}
        </Button>
      ))}
      {writes && (
        <Button small look="quiet" className={styles.option} busy={busy} onClick={() => on.open(row)}>
          {item.gate?.kind === 'approval' ? 'More…' : 'Own words…'}
          {current && <Cap>e</Cap>}
        </Button>
      )}
    </Buttons>
  );
}

/** The name of a button stays the same while its key is shown. */
const Cap = ({ children }: { children: string }) => (
  <span aria-hidden="true">
    <Key>{children}</Key>
  </span>
);

/** Why there is no button: another place has it, or another person. */
function NoAnswer({ item }: { item: AttentionItem }) {
  const place = placeOf(item);
  if (item.action === null && item.alternatives.length === 0)
    return <span className={styles.others}>Needs the role {item.needsRole}</span>;
  return place === null ? null : (
    <Link {...place} className={styles.go}>
      {item.kind === 'sign_in' ? 'Sign in' : 'Open'}
      <span className="sr-only">
        {item.kind === 'sign_in' ? ' to' : ''} {item.server?.name ?? item.title}
      </span>
    </Link>
  );
}

/** What a person reads before a call is approved, and the form of an answer. */
function Below({ row, open, busy, acts, on }: Pick<CauseRowProps, 'row' | 'open' | 'busy' | 'acts' | 'on'>) {
  const [item] = row.items;
  const { gate } = item;
  const isCall = gate?.kind === 'approval';
  const place = useRef<HTMLDivElement>(null);
  if (!isCall && !open) return null;
  // The row gets the focus back from the form, which is gone then.
  const close = () => {
    place.current?.closest<HTMLElement>(ROW)?.focus();
    on.open(null);
  };
  return (
    <div ref={place} className={styles.below} onKeyDown={({ key }) => open && key === 'Escape' && close()}>
      {isCall && <CallToApprove gateId={gate.id} />}
      {open && gate && acts && <GateForm item={item} gateId={gate.id} within />}
      {open && !gate && (
        <SendBackForm
          draft={`${item.id} ${item.since}`}
          issues={[item.issue!]}
          busy={busy}
          onSend={(reason) => on.sendBack(row, reason)}
          onCancel={close}
        />
      )}
      {open && gate && (
        <div>
          <Button small look="quiet" onClick={close}>
            Close
          </Button>
        </div>
      )}
    </div>
  );
}
