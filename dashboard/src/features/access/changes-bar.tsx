import { useMutation } from '@tanstack/react-query';
import type { AccessMatrix } from '../../api/types';
import { Button, Buttons } from '../../parts/button';
import { ProblemNotice } from '../../parts/notice';
import { announce } from '../../parts/toasts';
import { saveAccess, useServerRefresh } from '../../shared/mcp/changes';
import styles from './access.module.css';
import { requestsOf, type Edits } from './grants';
import { sentencesOf } from './sentences';

interface ChangesBarProps {
  matrix: AccessMatrix;
  edits: Edits;
  onDiscard: () => void;
  /** Called for each server whose edits are saved, so that a later refusal keeps only the others. */
  onSaved: (serverId: string) => void;
}

/** The edits as sentences, with one button that saves them: one request for each server. */
export function ChangesBar({ matrix, edits, onDiscard, onSaved }: ChangesBarProps) {
  const refresh = useServerRefresh();
  const save = useMutation({
    mutationFn: async () => {
      for (const { serverId, entries } of requestsOf(edits)) {
        await saveAccess(serverId, entries);
        await refresh();
        onSaved(serverId);
      }
      return edits.size;
    },
    onSuccess: (count) => announce(count === 1 ? '1 change is saved' : `${count} changes are saved`),
  });
  return (
    <section className={styles.changes} aria-label="Changes not saved yet">
      <div>
        {save.isError && <ProblemNotice title="These changes were not saved" error={save.error} />}
        <ul aria-live="polite">
          {sentencesOf(matrix, edits).map(({ key, agent, verb, server, end }) => (
            <li key={key}>
              <b>{agent}</b> {verb} <b>{server}</b>
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
