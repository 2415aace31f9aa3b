import { useState } from 'react';
import type { IssueLabel } from '../../api/types';
import { Button } from '../../parts/button';
import { fieldClasses } from '../../parts/field';
import { LabelChips } from '../../parts/status';
import { LabelChooser } from './chooser';
import styles from './field.module.css';

interface LabelsFieldProps {
  /** What is chosen: "Labels of the new issue". */
  what: string;
  projectId: string;
  labels: readonly IssueLabel[];
  error?: string | undefined;
  onChange: (labels: IssueLabel[]) => void;
}

/** The labels of an issue in a form. */
export function LabelsField({ what, projectId, labels, error, onChange }: LabelsFieldProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className={fieldClasses.field} role="group" aria-label="Labels">
      <span className={styles.label}>Labels</span>
      <LabelChips labels={labels} />
      <Button small icon="tag" className={styles.choose} onClick={() => setOpen(true)}>
        {labels.length === 0 ? 'Choose labels' : 'Change labels'}
      </Button>
      {error && <p className={fieldClasses.error}>{error}</p>}
      <LabelChooser
        label={what}
        projectId={projectId}
        issues={[{ labels }]}
        open={open}
        onClose={() => setOpen(false)}
        onChange={({ added, removed }) =>
          onChange([...labels.filter(({ id }) => !removed.some((one) => one.id === id)), ...added])
        }
      />
    </div>
  );
}
