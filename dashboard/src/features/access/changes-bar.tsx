import { useMutation } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import type { AccessMatrix } from '../../api/types';
import { Button, Buttons } from '../../parts/button';
import { ProblemNotice } from '../../parts/notice';
import { announce } from '../../parts/toasts';
import { saveAccess, useServerRefresh } from '../../shared/mcp/changes';
import type { AccessIndex } from '../../shared/mcp/effective-access';
import styles from './access.module.css';
import { editedProfiles, requestsOf, type Edits } from './edits';
import { saveEntries } from './profiles/changes';
import { sentencesOf } from './sentences';

interface ChangesBarProps {
  matrix: AccessMatrix;
  index: AccessIndex;
  edits: Edits;
  onDiscard: () => void;
  /** Called for each request that is saved, so that a later refusal keeps only the other edits. */
  onSaved: (saved: { serverId: string } | { profileId: string }) => void;
}

/** The edits as sentences, with one button that saves them: one request for each server, and one for each profile. */
export function ChangesBar({ matrix, index, edits, onDiscard, onSaved }: ChangesBarProps) {
  const refresh = useServerRefresh();
  const bar = useFocusBack();
  const save = useMutation({
    mutationFn: async () => {
      for (const profileId of editedProfiles(edits)) {
        await saveEntries(profileId, edits);
        await refresh();
        onSaved({ profileId });
      }
      for (const { serverId, entries } of requestsOf(edits)) {
        await saveAccess(serverId, entries);
        await refresh();
        onSaved({ serverId });
      }
      return edits.size;
    },
    onSuccess: (count) => announce(count === 1 ? '1 change is saved' : `${count} changes are saved`),
  });
  return (
    <section ref={bar} className={styles.changes} aria-label="Changes not saved yet">
      <div>
        {save.isError && <ProblemNotice title="These changes were not saved" error={save.error} />}
        <ul aria-live="polite">
          {sentencesOf(matrix, index, edits).map(({ key, who, verb, server, end }) => (
            <li key={key}>
              <b>{who}</b> {verb} <b>{server}</b>
              {end}
            </li>
          ))}
        </ul>
      </div>
      <Buttons>
        <Button onClick={onDiscard}>Discard</Button>
        <Button look="primary" busy={save.isPending} onClick={() => save.mutate()}>
          {edits.size === 1 ? 'Save 1 change' : `Save ${edits.size} changes`}
        </Button>
      </Buttons>
    </section>
  );
}

/** Gives the focus back to the cell that had it when the bar goes with its buttons. */
function useFocusBack() {
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = bar;
    return () => {
      if (!current?.contains(document.activeElement)) return;
      queueMicrotask(() => document.querySelector<HTMLElement>('[role=grid] [tabindex="0"]')?.focus());
    };
  }, []);
  return bar;
}
