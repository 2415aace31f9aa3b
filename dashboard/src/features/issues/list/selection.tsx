import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useMemo, useRef, useState } from 'react';
import type { ListedIssue } from '../../../api/types';
import { useActions } from '../../../keyboard/use-actions';
import { Button } from '../../../parts/button';
import { sayNumber } from '../../../parts/count';
import { announceRefusal } from '../../../parts/toasts';
import { type IssueFilter, matchingIssues, type Sort } from '../queries';
import type { Known } from '../sending';

/** Which issues of a list are chosen for a change of several. */
export interface Selection {
  chosen: ReadonlyMap<string, Known>;
  /** Chooses an issue, or not any more. The next range begins there. */
  toggle: (issue: Known) => void;
  /** Chooses all between the one that was chosen last and this one, in the order of the rows. */
  extend: (to: Known, rows: readonly Known[]) => void;
  /** Chooses these and no others. */
  replace: (issues: readonly Known[]) => void;
  clear: () => void;
}

type Chosen = ReadonlyMap<string, Known>;

/** Null for those who may not change issues. */
export function useSelection(editable: boolean): Selection | null {
  const [chosen, setChosen] = useState<Chosen>(new Map());
  // Where a range begins, and what was chosen before: a range that becomes shorter gives back what it took.
  const anchor = useRef<{ id: string; before: Chosen } | null>(null);
  return useMemo(() => {
    if (!editable) return null;
    const set = (next: Chosen, from: string | null) => {
      anchor.current = from === null ? null : { id: from, before: next };
      setChosen(next);
    };
    return {
      chosen,
      toggle: (issue) => set(toggled(chosen, issue), issue.id),
      extend: (to, rows) => {
        anchor.current ??= { id: to.id, before: chosen };
        const { id, before } = anchor.current;
        setChosen(
          new Map([...before, ...between(rows, id, to.id).map((issue) => [issue.id, issue] as const)]),
        );
      },
      replace: (issues) => set(new Map(issues.map((issue) => [issue.id, issue])), null),
      clear: () => set(new Map(), null),
    };
  }, [editable, chosen]);
}

function toggled(chosen: Chosen, issue: Known): Chosen {
  const next = new Map(chosen);
  if (!next.delete(issue.id)) next.set(issue.id, issue);
  return next;
}

/** The rows from one to another, both included, in either direction; the last alone where the first is gone. */
export function between(rows: readonly Known[], from: string, to: string): readonly Known[] {
  const at = (id: string) => rows.findIndex((row) => row.id === id);
  const [first, last] = [at(from), at(to)];
  if (last === -1) return [];
  if (first === -1) return [rows[last]!];
  return rows.slice(Math.min(first, last), Math.max(first, last) + 1);
}

/** The most issues that are changed together; each is a request. */
const MOST = 3_000;

interface AllThatMatchProps {
  project: string;
  filter: IssueFilter;
  sort: Sort;
  total: number | null;
  selection: Selection;
}

/** Chooses all issues that match the filter, those too that the list has not read. */
export function AllThatMatch({ project, filter, sort, total, selection }: AllThatMatchProps) {
  const read = useMutation({
    mutationFn: () => matchingIssues(project, filter, sort, MOST),
    onSuccess: selection.replace,
    onError: (error) => announceRefusal('The others could not be chosen', error),
  });
  if (total === null || total <= selection.chosen.size || selection.chosen.size === MOST) return null;
  return (
    <Button small busy={read.isPending} onClick={() => read.mutate()}>
      {total > MOST
        ? `Choose the first ${sayNumber(MOST)} that match`
        : `Choose all ${sayNumber(total)} that match`}
    </Button>
  );
}

/** The box in the head of the list. */
export function ChooseAll({ issues, selection }: { issues: readonly ListedIssue[]; selection: Selection }) {
  const all = issues.length > 0 && issues.every(({ id }) => selection.chosen.has(id));
  const some = selection.chosen.size > 0;
  return (
    <input
      type="checkbox"
      aria-label="Choose all rows"
      checked={all}
      ref={(box) => {
        if (box) box.indeterminate = some && !all;
      }}
      onChange={() => (all ? selection.clear() : selection.replace(issues))}
    />
  );
}

/** The keys that choose: one issue, a range, all rows. @param current the issue in focus */
export function useChoosing(
  selection: Selection | null,
  issues: readonly ListedIssue[],
  current: ListedIssue | null,
): void {
  const common = { icon: 'check', group: 'This screen' } as const;
  useActions([
    {
      ...common,
      id: 'choose',
      name: 'Choose the issue for a change of several',
      shortcut: 'x',
      available: selection !== null && current !== null,
      perform: () => current && selection?.toggle(current),
    },
    {
      ...common,
      id: 'choose-range',
      name: 'Choose all from the last chosen issue to this one',
      shortcut: 'X',
      available: selection !== null && current !== null,
      perform: () => current && selection?.extend(current, issues),
    },
    {
      ...common,
      id: 'choose-all',
      name: 'Choose all rows',
      shortcut: 'Mod+a',
      available: selection !== null && issues.length > 0,
      perform: () => selection?.replace(issues),
    },
  ]);
}

/** Shift with an arrow key chooses the rows that the focus goes over. */
export function useExtending(
  scroller: RefObject<HTMLElement | null>,
  selection: Selection | null,
  issues: readonly ListedIssue[],
  current: ListedIssue | null,
) {
  return (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!event.shiftKey || by === undefined || selection === null || current === null) return;
    const next = issues[issues.indexOf(current) + by];
    event.preventDefault();
    // The range begins at the row that has the focus.
    if (selection.chosen.size === 0) selection.toggle(current);
    else if (next) selection.extend(next, issues);
    if (!next) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-issue="${next.key}"] a`);
    row?.focus();
    row?.scrollIntoView({ block: 'nearest' });
  };
}
