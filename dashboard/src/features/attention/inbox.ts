import type { LinkProps } from '@tanstack/react-router';
import { type FocusEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { allCauses, type AttentionFilter } from '../../api/lists';
import type { AttentionAction, AttentionItem } from '../../api/types';
import type { IconName } from '../../parts/icon';
import type { Tone } from '../../parts/status';

/** One row of the list: a cause, or equal questions, the first of which stands for all. */
export interface InboxRow {
  id: string;
  items: readonly [AttentionItem, ...AttentionItem[]];
  /** Counted by the service, also where not all are loaded. */
  size: number;
}

/** The rows of the causes that are loaded. @param apart the groups whose questions are shown one by one */
export function rowsOf(items: readonly AttentionItem[], apart: ReadonlySet<string>): InboxRow[] {
  const rows = new Map<string, InboxRow>();
  for (const item of items) {
    const { group } = item;
    const id = group === null || apart.has(group.id) ? item.id : `group:${group.id}`;
    const row = rows.get(id);
    const size = group === null || id === item.id ? 1 : group.items;
    rows.set(id, row ? { ...row, items: [...row.items, item] } : { id, items: [item], size });
  }
  return [...rows.values()];
}

/** The sign of a kind, and its word where a row has no issue to name. A kind that the dashboard does not know yet has the last. */
const signs: Partial<Record<string, { icon: IconName; tone: Tone; word: string }>> = {
  question: { icon: 'comment', tone: 'review', word: 'Question' },
  approval: { icon: 'tool', tone: 'review', word: 'Approval' },
  budget: { icon: 'pause', tone: 'danger', word: 'Budget' },
  review: { icon: 'review', tone: 'review', word: 'Review' },
  exhausted: { icon: 'refresh', tone: 'danger', word: 'Failed' },
  stuck: { icon: 'waiting', tone: 'waiting', word: 'Stuck' },
  released: { icon: 'refresh', tone: 'waiting', word: 'Released' },
  server_error: { icon: 'error', tone: 'danger', word: 'Server' },
  tools_changed: { icon: 'tool', tone: 'waiting', word: 'Tools' },
  agent_failing: { icon: 'error', tone: 'danger', word: 'Agent' },
  agent_silent: { icon: 'clock', tone: 'waiting', word: 'Agent' },
  credential: { icon: 'access', tone: 'danger', word: 'Credentials' },
  sign_in: { icon: 'access', tone: 'danger', word: 'Sign-in' },
  webhook_disabled: { icon: 'error', tone: 'danger', word: 'Webhook' },
  schedule_failing: { icon: 'clock', tone: 'danger', word: 'Schedule' },
  key_expiring: { icon: 'access', tone: 'waiting', word: 'Key' },
  budget_near: { icon: 'info', tone: 'waiting', word: 'Budget' },
};
const otherSign = { icon: 'info', tone: 'waiting', word: 'Other' } as const;

export const signOf = ({ kind, gate }: AttentionItem) => signs[gate?.kind ?? kind] ?? otherSign;

/** What a row says: what is the case in a few words, and what it is about. */
export function wordsOf(item: AttentionItem): { about: string; title: string; detail: string | null } {
  const { title, detail, issue, gate, question } = item;
  const about = signOf(item).word;
  if (gate) return { about, title: question ?? title, detail: null };
  // The service names the issue at the end of the title.
  const end = `: ${issue?.title}`;
  if (issue && title.endsWith(end))
    return {
      about: beside(issue.key, title.slice(0, -end.length)),
      title: issue.title,
      detail: item.kind === 'review' ? null : detail,
    };
  return { about, title, detail };
}

/** Words that stand beside the key of the issue, and need not say it again. */
const beside = (key: string, words: string): string =>
  words.startsWith(`${key} `) ? words.slice(key.length + 1) : words.replace(key, 'it');

/** Where a cause is looked at; null where it has no place but its row. */
export function placeOf({
  kind,
  issue,
  server,
  agent,
  webhook,
  schedule,
  project,
  action,
}: AttentionItem): LinkProps | null {
  if (issue) return { to: '/i/$key', params: { key: issue.key } };
  if (server && kind === 'sign_in')
    return {
      to: '/servers/$id/$tab',
      params: { id: server.id, tab: 'credentials' },
      search: { set: setOf(action) },
    };
  if (server) return { to: '/servers/$id', params: { id: server.id } };
  if (schedule && project) return { to: '/p/$key/$tab', params: { key: project.key, tab: 'schedules' } };
  if (webhook) return { to: '/settings/webhooks/$id', params: { id: webhook.id } };
  if (agent && kind === 'key_expiring')
    return { to: '/agents/$id/$tab', params: { id: agent.id, tab: 'keys' } };
  if (kind === 'key_expiring')
    return { to: action?.path.startsWith('/api/auth') ? '/settings/keys' : '/settings/users' };
  if (agent) return { to: '/agents/$id', params: { id: agent.id } };
  return project ? { to: '/p/$key/usage', params: { key: project.key } } : null;
}

/** The credential set that a sign-in is about, which the path of its call names. */
function setOf(action: AttentionItem['action']): string | undefined {
  return action?.path.split('/credential-sets/')[1]?.split('/')[0];
}

/** A button of a row: it makes a call, or opens the form in which something has to be typed or read first. */
export interface RowButton {
  label: string;
  look: 'plain' | 'primary' | 'danger';
  /** null: opens the form. */
  call: AttentionAction | null;
}

/** Whether the person has a role or one above it. */
export type HasRole = (role: AttentionItem['needsRole']) => boolean;

/** A key is shown once, where it is made; and servers are managed in elevated mode, on their own screen. */
const isMadeElsewhere = ({ elevated, path }: AttentionAction): boolean => elevated || path.endsWith('/keys');

const opens = (label: string): RowButton => ({ label, look: 'plain', call: null });

/** What can be done about a cause in its row, in the order of the keys 1 to 9; nothing where the person may not. */
export function buttonsOf(item: AttentionItem, has: HasRole): RowButton[] {
  const { kind, gate, action, alternatives, options, needsRole } = item;
  const calls = [...(action ? [action] : []), ...alternatives].filter((call) => !isMadeElsewhere(call));
  const button = (call: AttentionAction | undefined, label = call?.label, look?: RowButton['look']) =>
    call
      ? [{ label: label!, look: look ?? (call === action ? 'primary' : 'plain'), call } satisfies RowButton]
      : [];
  const byBody = (member: string, value: string) => calls.find(({ body }) => body?.[member] === value);
  // A question without options has no call that the service could offer, and is answered in one's own words.
  if (gate?.kind === 'question' && (gate.form || options.length === 0))
    return has(needsRole) ? [opens(gate.form ? 'Fill in the form…' : 'Answer…')] : [];
  if (gate?.kind === 'question') return options.flatMap((option) => button(byBody('option', option), option));
  if (gate?.kind === 'approval')
    return [
      ...button(byBody('decision', 'approve'), 'Approve'),
      ...button(byBody('decision', 'deny'), 'Deny', 'danger'),
    ];
  if (calls.length === 0) return [];
  if (gate?.kind === 'budget')
    return [opens('Extend…'), ...button(byBody('decision', 'stop'), 'Keep it stopped')];
  if (kind === 'review') return [...button(byBody('status', 'Resolved'), 'Resolve'), opens('Send back…')];
  return calls.flatMap((call) =>
    button(call, call.label, call.label.startsWith('Disable') ? 'danger' : undefined),
  );
}

/** The same answer for another question of the group: each has its own call. */
export function sameCall(item: AttentionItem, { label }: AttentionAction): AttentionAction | undefined {
  return [item.action, ...item.alternatives].find((call) => call?.label === label) ?? undefined;
}

/** The causes that are chosen for an action on several, loaded or not. */
export interface Selection {
  chosen: ReadonlyMap<string, AttentionItem>;
  has: (row: InboxRow) => boolean;
  toggle: (row: InboxRow) => void;
  /** Chooses everything between the row that was chosen last and this one. */
  extend: (row: InboxRow) => void;
  chooseAll: (filter: AttentionFilter) => Promise<void>;
  keep: (ids: ReadonlySet<string>) => void;
  clear: () => void;
}

export function useSelection(rows: readonly InboxRow[]): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, AttentionItem>>(new Map());
  const anchor = useRef<string | null>(null);
  return useMemo(() => {
    const has = (row: InboxRow) => row.items.every(({ id }) => chosen.has(id));
    const add = (items: readonly AttentionItem[]) =>
      setChosen((before) => new Map([...before, ...items.map((item) => [item.id, item] as const)]));
    return {
      chosen,
      has,
      toggle: (row) => {
        anchor.current = row.id;
        const off = new Set(has(row) ? row.items.map(({ id }) => id) : []);
        if (off.size === 0) add(row.items);
        else setChosen((before) => new Map([...before].filter(([id]) => !off.has(id))));
      },
      extend: (row) => {
        const [from, to] = [anchor.current ?? row.id, row.id]
          .map((id) => rows.findIndex((one) => one.id === id))
          .toSorted((a, b) => a - b);
        add(rows.slice(Math.max(0, from!), to! + 1).flatMap(({ items }) => items));
      },
      chooseAll: async (filter) => add(await allCauses(filter)),
      keep: (ids) => setChosen((before) => new Map([...before].filter(([id]) => ids.has(id)))),
      clear: () => {
        anchor.current = null;
        setChosen(new Map());
      },
    };
  }, [rows, chosen]);
}

const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false });

/** `today 13:05` or `Mon, 23 Nov 09:00`, by the person's own clock. */
export function sayTime(at: Date, now = new Date()): string {
  return `${at.toDateString() === now.toDateString() ? 'today' : day.format(at)} ${clock.format(at)}`;
}

/** The row itself takes the focus, so that Enter opens what it is about and the keys of its buttons are its own. */
export const ROW = '[data-cause]';

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
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(ROW) ?? [])];
    rows[Math.min(current.index, rows.length - 1)]?.focus();
  }, [list, ids]);
  return ({ target }: FocusEvent<HTMLElement>): void => {
    const id = target.closest<HTMLElement>(ROW)?.dataset['cause'];
    last.current = id === undefined ? null : { id, index: ids.indexOf(id) };
  };
}

/** The row that has the focus. A dialog over the list takes it for a while, and gives it back. */
export function useFocusedRow(list: RefObject<HTMLElement | null>, rows: readonly InboxRow[]) {
  const [focused, setFocused] = useState<string | null>(null);
  const ids = rows.map(({ id }) => id);
  const keepFocus = useKeptFocus(list, ids);
  return {
    focused,
    onFocus: (event: FocusEvent<HTMLElement>) => {
      keepFocus(event);
      setFocused(event.target.closest<HTMLElement>(ROW)?.dataset['cause'] ?? null);
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
      if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setFocused(null);
    },
  };
}
