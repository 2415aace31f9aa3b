import { useId, useRef, useState } from 'react';
import { asProblem, offlineProblem, Problem, problemOf } from '../../api/problem';
import { Button, IconButton } from '../../parts/button';
import { fieldClasses } from '../../parts/field';
import { Icon, type IconName } from '../../parts/icon';
import styles from './create-issue.module.css';

/** One thing that is done after an issue was created. */
export interface Step {
  id: string;
  label: string;
  icon: IconName;
  state: 'waiting' | 'running' | 'done' | 'failed';
  /** How much of a file has been sent, from 0 to 1. */
  progress?: number;
  problem?: Problem;
  run: (onProgress: (sent: number) => void) => Promise<unknown>;
}

/** Does steps one after the other, and goes on after one that failed. */
export function useStepList() {
  const [all, setAll] = useState<readonly Step[]>([]);
  const work = async (steps: readonly Step[]): Promise<readonly Step[]> => {
    const state = new Map(steps.map((step) => [step.id, step]));
    const become = (id: string, change: Partial<Step>): void => {
      state.set(id, { ...state.get(id)!, ...change });
      setAll([...state.values()]);
    };
    for (const { id, run } of steps.filter(({ state: now }) => now !== 'done')) {
      become(id, { state: 'running', progress: 0 });
      try {
        await run((progress) => become(id, { progress }));
        become(id, { state: 'done' });
      } catch (error) {
        become(id, { state: 'failed', problem: asProblem(error) });
      }
    }
    return [...state.values()].filter(({ state: now }) => now === 'failed');
  };
  return {
    all,
    /** @returns those that failed */
    run: (steps: readonly Omit<Step, 'state'>[]) =>
      work(steps.map((step) => ({ ...step, state: 'waiting' as const }))),
    /** Does those again that failed. */
    again: () => work(all),
  };
}

const states = {
  waiting: { icon: 'clock', word: 'waits' },
  running: { icon: 'progress', word: 'is sent' },
  done: { icon: 'check', word: 'done' },
  failed: { icon: 'error', word: 'failed' },
} as const satisfies Record<Step['state'], { icon: IconName; word: string }>;

/** What was done after the creation, what is being done, and what failed with its reason. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ul className={styles.steps} role="status">
      {steps.map(({ id, label, icon, state, progress = 0, problem }) => (
        <li key={id} data-state={state}>
          <Icon name={icon} small />
          <span className="clip">{label}</span>
          <span className={styles.state}>
            {state === 'running' && icon === 'file' ? (
              <>
                <progress max={1} value={progress} aria-label={label} /> {Math.round(progress * 100)} %
              </>
            ) : (
              states[state].word
            )}
            <Icon name={states[state].icon} small />
          </span>
          {problem && <p className={fieldClasses.error}>{problem.detail}</p>}
        </li>
      ))}
    </ul>
  );
}

/** Sends a file of an issue. Only this kind of request says how much of it has been sent. @throws {Problem} */
export function sendFile(issueId: string, file: File, onProgress: (sent: number) => void): Promise<void> {
  const form = new FormData();
  form.set('file', file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/projects/issues/${encodeURIComponent(issueId)}/attachments`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onerror = () => reject(offlineProblem());
    request.onload = () => {
      if (request.status < 300) return resolve();
      const { status, responseText } = request;
      void problemOf(new Response(responseText, { status })).then(reject);
    };
    request.send(form);
  });
}

interface FilesFieldProps {
  files: readonly File[];
  onChange: (files: readonly File[]) => void;
}

/** Files that go with the issue: chosen, or dropped on the field. */
export function FilesField({ files, onChange }: FilesFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const add = (more: FileList | null) => onChange([...files, ...(more ?? [])]);
  return (
    <div
      className={`${fieldClasses.field} ${styles.files}`}
      role="group"
      aria-labelledby={id}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        add(event.dataTransfer.files);
      }}
    >
      <span id={id} className={styles.label}>
        Files
      </span>
      {files.length > 0 && (
        <ul className={styles.chosen}>
          {files.map((file) => (
            <li key={`${file.name} ${file.size} ${file.lastModified}`}>
              <Icon name="file" small />
              <span className="clip">{file.name}</span>
              <span className="soft small">{sizeOf(file.size)}</span>
              <IconButton
                icon="close"
                small
                label={`Without ${file.name}`}
                onClick={() => onChange(files.filter((one) => one !== file))}
              />
            </li>
          ))}
        </ul>
      )}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          add(target.files);
          target.value = '';
        }}
      />
      <Button small icon="file" onClick={() => input.current?.click()}>
        {files.length === 0 ? 'Choose files' : 'Choose more'}
      </Button>
      <p className={fieldClasses.hint}>Or drop them here. They are sent once the issue is created.</p>
    </div>
  );
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
