import { useState, type DragEvent } from 'react';
import type { IssueStatus, ListedIssue } from '../../../api/types';
import { useIssueChange } from '../changes';

const TYPE = 'application/x-awp-issue';

/** What dragging a card does; the menu of the card and the key `m` do the same. */
export interface Drag {
  /** The card that is being dragged. */
  dragged: ListedIssue | null;
  start: (event: DragEvent, issue: ListedIssue) => void;
  end: () => void;
  /** Whether the dragged card may be dropped on a column. */
  accepts: (status: IssueStatus) => boolean;
  over: (event: DragEvent, status: IssueStatus) => void;
  drop: (event: DragEvent, status: IssueStatus) => void;
}

export function useDrag(): Drag {
  const [dragged, setDragged] = useState<ListedIssue | null>(null);
  const change = useIssueChange();
  const accepts = (status: IssueStatus): boolean =>
    dragged !== null && dragged.status !== status && dragged.allowedTransitions.includes(status);
  return {
    dragged,
    accepts,
    start: (event, issue) => {
      event.dataTransfer.setData(TYPE, issue.id);
      event.dataTransfer.effectAllowed = 'move';
      setDragged(issue);
    },
    end: () => setDragged(null),
    over: (event, status) => {
      if (accepts(status)) event.preventDefault();
    },
    drop: (event, status) => {
      if (dragged === null || !accepts(status)) return;
      event.preventDefault();
      change.mutate({ issue: dragged, change: { kind: 'status', to: status } });
      setDragged(null);
    },
  };
}
