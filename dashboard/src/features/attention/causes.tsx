import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, type RefObject, useMemo, useRef, useState } from 'react';
import type { AttentionFilter } from '../../api/lists';
import type { AttentionItem } from '../../api/types';
import { type Action, isTyping, useActions } from '../../keyboard/use-actions';
import { useSteps } from '../../keyboard/use-steps';
import { Key } from '../../parts/button';
import { later } from '../../parts/later';
import { hasRole, useMe } from '../../session/me';
import styles from './attention.module.css';
import { CauseRow, type RowCommands } from './cause-row';
import {
  buttonsOf,
  type InboxRow,
  placeOf,
  ROW,
  rowsOf,
  sameCall,
  type Selection,
  useFocusedRow,
  useSelection,
} from './inbox';
import { membersOf, useInboxWork } from './inbox-work';

const BulkBar = later(async () => (await import('./bulk')).BulkBar);
const Refused = later(async () => (await import('./bulk')).Refused);
const SnoozeChooser = later(async () => (await import('./snooze')).SnoozeChooser);

type Work = ReturnType<typeof useInboxWork>;
type Snoozing = readonly AttentionItem[] | null;

interface CausesProps {
  items: readonly AttentionItem[];
  filter: AttentionFilter;
  /** How many the filter leaves in all. */
  total: number;
  /** When the items were read. */
  readAt: number;
  /** In place of a list without rows. */
  empty: ReactNode;
  /** What stands at the end of the rows: how the list goes on. */
  end: ReactNode;
}

/** The rows, with what several of them and the keyboard do. */
export function Causes({ items, filter, total, readAt, empty, end }: CausesProps) {
  const acts = hasRole(useMe(), 'Editor') || items.some(({ action }) => action !== null);
  const work = useInboxWork(readAt);
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<string | null>(null);
  const [snoozing, setSnoozing] = useState<Snoozing>(null);
  const left = items.filter(({ id }) => !work.isGone(id));
  const rows = rowsOf(left, apart);
  const selection = useSelection(rows);
  const list = useRef<HTMLUListElement>(null);
  const { focused, ...focus } = useFocusedRow(list, rows);
  const chosen = [...selection.chosen.values()].filter(({ id }) => !work.isGone(id));
  const on = useCommands({ work, selection, setApart, setOpened, setSnoozing });
  const chooseAll = () => void selection.chooseAll(filter);
  const open = useRowKeys({
    ...{ list, acts, on, chosen, chooseAll, setSnoozing },
    current: rows.find(({ id }) => id === focused) ?? null,
    chooseNone: selection.clear,
  });
  return (
    <>
      {work.refused.length > 0 && <Refused refusals={work.refused} onDismiss={work.dismiss} />}
      {rows.length === 0 && empty}
      <ul
        ref={list}
        className={rows.length > 0 ? styles.list : undefined}
        aria-label="Causes"
        {...focus}
        onKeyDown={(event) => {
          if (acts && choosesAll(event)) chooseAll();
          if (event.key === 'Enter' && event.target instanceof Element && event.target.matches(ROW)) open();
        }}
      >
        {rows.map((row) => (
          <CauseRow
            key={row.id}
            row={row}
            current={row.id === focused}
            chosen={selection.has(row)}
            open={row.id === opened}
            busy={work.busy}
            acts={acts}
            on={on}
          />
        ))}
      </ul>
      {end}
      {acts && rows.length > 0 && <Hints />}
      {chosen.length > 0 && (
        <BulkBar
          items={chosen}
          total={total}
          busy={work.busy}
          asleep={filter.snoozed === true}
          onTake={(steps, done) => work.take({ steps, done })}
          onSnooze={() => setSnoozing(chosen)}
          onAll={chooseAll}
          onNone={selection.clear}
        />
      )}
      {snoozing && (
        <SnoozeChooser
          label={`Snooze ${snoozing.length === 1 ? nameOf(snoozing[0]!) : snoozing.length}`}
          asleep={filter.snoozed === true}
          onClose={() => setSnoozing(null)}
          onSnooze={(until) => work.snooze({ items: snoozing, until })}
        />
      )}
    </>
  );
}

const nameOf = ({ issue, title }: AttentionItem): string => issue?.key ?? title;

/** Ctrl A within the list, but not within a text: there it is the browser's own. */
function choosesAll(event: KeyboardEvent): boolean {
  // With caps lock it is an A.
  const isA = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a';
  if (!isA || isTyping(event.target)) return false;
  event.preventDefault();
  return true;
}

interface CommandParts {
  work: Work;
  selection: Selection;
  setApart: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void;
  setOpened: (id: string | null) => void;
  setSnoozing: (items: Snoozing) => void;
}

/** The commands of the rows, which stay the same while what they use changes. */
function useCommands(parts: CommandParts): RowCommands {
  const latest = useRef(parts);
  latest.current = parts;
  return useMemo<RowCommands>(
    () => ({
      press: (row, { call, label }) => {
        if (call === null) latest.current.setOpened(row.id);
        else void answer(latest.current.work, row, call, label);
      },
      open: (row) => latest.current.setOpened(row?.id ?? null),
      choose: (row, range) => latest.current.selection[range ? 'extend' : 'toggle'](row),
      snooze: ({ items }) => latest.current.setSnoozing(items),
      apart: (groupId) => latest.current.setApart((before) => new Set([...before, groupId])),
      sendBack: ({ items: [item] }, reason) => {
        const call = item.alternatives.find(({ body }) => body?.['status'] === 'InProgress');
        if (!call) return;
        latest.current.work.take({
          ...{ steps: [{ item, call, reason }], done: () => `Sent back ${nameOf(item)}` },
        });
      },
    }),
    [],
  );
}

/** Answers every question of a row alike. */
async function answer(work: Work, row: InboxRow, call: NonNullable<AttentionItem['action']>, label: string) {
  const members = await membersOf(row);
  const steps = members.flatMap((item) => {
    const same = item.id === row.items[0].id ? call : sameCall(item, call);
    return same ? [{ item, call: same }] : [];
  });
  const done = (count: number) =>
    row.size === 1 ? `Done: ${label}` : `Answered ${count} questions: ${label}`;
  work.take({ steps, done });
}

interface RowKeys {
  list: RefObject<HTMLElement | null>;
  current: InboxRow | null;
  acts: boolean;
  on: RowCommands;
  chosen: readonly AttentionItem[];
  setSnoozing: (items: Snoozing) => void;
  chooseAll: () => void;
  chooseNone: () => void;
}

const KEYS = 9;
const OPEN = 'open-cause';

const ofScreen = (id: string, name: string, icon: Action['icon'], shortcut?: string) => ({
  ...{ id, name, icon, group: 'This screen' as const },
  ...(shortcut === undefined ? {} : { shortcut }),
});

/**
 * `j` and `k` step through the rows; the other keys are about the row with the focus, or about what is chosen.
 * @returns opens what the row is about
 */
function useRowKeys(keys: RowKeys): () => void {
  const { list, current, acts, chosen, setSnoozing, chooseAll, chooseNone } = keys;
  useSteps(list, { selector: ROW, noun: 'cause' });
  const ofRow = useActionsOfRow(keys);
  useActions([
    ...ofRow,
    {
      ...ofScreen('snooze', 'Snooze', 'clock', 'z'),
      available: acts && (chosen.length > 0 || current !== null),
      perform: () => setSnoozing(chosen.length > 0 ? chosen : (current?.items ?? null)),
    },
    { ...ofScreen('choose-all', 'Choose all that match', 'check'), available: acts, perform: chooseAll },
    {
      ...ofScreen('choose-none', 'Choose none', 'close', 'Escape'),
      available: chosen.length > 0,
      perform: chooseNone,
    },
  ]);
  return () => ofRow.find(({ id }) => id === OPEN)?.perform();
}

function useActionsOfRow({ current, acts, on }: RowKeys): Action[] {
  const navigate = useNavigate();
  const me = useMe();
  if (current === null) return [];
  const [item] = current.items;
  const place = placeOf(item);
  const open: Action = {
    ...ofScreen(OPEN, 'Open what the row is about', 'arrow', 'o'),
    available: place !== null,
    perform: () => place && void navigate(place),
  };
  if (!acts) return [open];
  const buttons = buttonsOf(item, (role) => hasRole(me, role)).slice(0, KEYS);
  const writes = current.size === 1 && (item.gate !== null || buttons.some(({ call }) => call === null));
  return [
    open,
    ...buttons.map((button, at) => ({
      ...ofScreen(`answer-${at + 1}`, button.label, 'check', String(at + 1)),
      perform: () => on.press(current, button),
    })),
    {
      ...ofScreen('own-words', 'Answer in your own words, or send back', 'comment', 'e'),
      available: writes,
      perform: () => on.open(current),
    },
    { ...ofScreen('choose', 'Choose the row', 'check', 'x'), perform: () => on.choose(current, false) },
    {
      ...ofScreen('choose-to', 'Choose up to this row', 'check', 'X'),
      perform: () => on.choose(current, true),
    },
  ];
}

const hints = [
  ['j k', 'move'],
  ['1–9', 'press a button'],
  ['e', 'own words'],
  ['x', 'choose'],
  ['z', 'snooze'],
  ['o', 'open'],
] as const;

/** The keys of the list, for those who have not found them yet. */
function Hints() {
  return (
    <p className={styles.foot} aria-hidden="true">
      {hints.map(([caps, what]) => (
        <span key={what}>
          {caps.split(' ').map((cap) => (
            <Key key={cap}>{cap}</Key>
          ))}
          {what}
        </span>
      ))}
    </p>
  );
}
