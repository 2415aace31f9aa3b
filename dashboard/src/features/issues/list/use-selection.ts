import { useMemo, useState } from 'react';

/** Which issues of a list are chosen for a change of several. */
export interface Selection {
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  clear: () => void;
}

/** Null for those who may not change issues. */
export function useSelection(editable: boolean): Selection | null {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return useMemo(
    () =>
      editable
        ? {
            has: (id) => ids.has(id),
            toggle: (id) => setIds((before) => toggled(before, id)),
            clear: () => setIds(new Set()),
          }
        : null,
    [editable, ids],
  );
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}
