import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';
import { api, bodyOf, makeKeyed } from '../../api/client';
import type { FoundIssue } from '../../api/lists';
import { asProblem, fieldErrors, offlineProblem, Problem, problemOf } from '../../api/problem';
import type { Issue, IssueLabel, Priority } from '../../api/types';
import { reveal } from '../../keyboard/use-steps';
import { Button, IconButton } from '../../parts/button';
import { fieldClasses } from '../../parts/field';
import { Icon, type IconName } from '../../parts/icon';
import { announce, announceRefusal } from '../../parts/toasts';
import { refreshIssues } from './board/board-data';
import styles from './create-issue.module.css';

/** What a form of a new issue holds. */
export const empty = {
  title: '',
  description: '',
  assignedAgentId: '',
  assigneeUserId: '',
  goalId: '',
  priority: 'none' as Priority,
  labels: [] as IssueLabel[],
  blockers: [] as FoundIssue[],
  /** One at most. */
  parents: [] as FoundIssue[],
  holdsParent: true,
};
export type Fields = typeof empty & { project: string };

/** The fields that show what is wrong with them themselves. */
const named = [
  'title',
  'description',
  'assignedAgentId',
  'assigneeUserId',
  'goalId',
  'blockedByIssueId',
  'parentId',
];

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

/** Creates the issue, then links its further blockers and sends its files. */
export function useCreation(onClose: () => void, discard: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [keyed] = useState(makeKeyed);
  const [created, setCreated] = useState<Issue | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const steps = useStepList();
  const finish = async (issue: Issue, run: Promise<readonly Step[]>): Promise<void> => {
    setBusy(true);
    const failed = await run;
    setBusy(false);
    if (failed.length === 0) onClose();
    for (const { label, problem } of failed) announceRefusal(`${issue.key}: ${label} is missing`, problem);
  };
  const create = async (fields: Fields, files: readonly File[]): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const issue = await send(fields, keyed);
      discard();
      announce(`${issue.key} is created`, issue.title, {
        label: `Open ${issue.key}`,
        perform: () => void navigate({ to: '/i/$key', params: { key: issue.key } }),
      });
      void refreshIssues(client, [issue.id, ...fields.parents.map(({ id }) => id)]).then(() =>
        reveal(issue.key),
      );
      const further = fields.blockers.slice(1).map((blocker) => linkStep(issue, blocker));
      const all = [...further, ...files.map((file) => fileStep(issue, file))];
      if (all.length > 0) setCreated(issue);
      await finish(issue, steps.run(all));
    } catch (refusal) {
      setBusy(false);
      setError(refusal);
    }
  };
  return {
    create: (fields: Fields, files: readonly File[]) => void create(fields, files),
    again: () => created && void finish(created, steps.again()),
    errors: fieldErrors(error, named),
    error,
    busy,
    created,
    steps: { all: steps.all, failed: steps.all.filter(({ state }) => state === 'failed').length },
  };
}

/** The same form sent again, because no answer came, creates no second issue. */
function send(fields: Fields, keyed: ReturnType<typeof makeKeyed>): Promise<Issue> {
  const { project, title, description, priority, assignedAgentId, assigneeUserId, goalId } = fields;
  const [first] = fields.blockers;
  const [parent] = fields.parents;
  const body = {
    title,
    priority,
    ...(description === '' ? {} : { description }),
    ...(assignedAgentId === '' ? {} : { assignedAgentId }),
    ...(assigneeUserId === '' ? {} : { assigneeUserId }),
    ...(goalId === '' ? {} : { goalId }),
    ...(fields.labels.length === 0 ? {} : { labels: fields.labels.map(({ id }) => id) }),
    ...(parent === undefined ? {} : { parentId: parent.id, holdsParent: fields.holdsParent }),
    ...(first === undefined ? {} : { blockedByIssueId: first.id }),
  };
  return keyed(JSON.stringify([project, body]), (key) =>
    bodyOf(
      api.POST('/api/projects/{projectId}/issues', {
        params: { path: { projectId: project }, header: { 'Idempotency-Key': key } },
        body,
      }),
    ),
  );
}

const linkStep = (issue: Issue, { id, key }: FoundIssue): Omit<Step, 'state'> => ({
  id: `link ${id}`,
  label: `The blocker ${key}`,
  icon: 'waiting',
  run: () =>
    api.POST('/api/projects/issues/{issueId}/links', {
      params: { path: { issueId: issue.id } },
      body: { targetIssueId: id, linkType: 'BlockedBy' },
    }),
});

const fileStep = (issue: Issue, file: File): Omit<Step, 'state'> => ({
  id: `file ${file.name} ${file.size} ${file.lastModified}`,
  label: `The file ${file.name}`,
  icon: 'file',
  run: (onProgress) => sendFile(issue.id, file, onProgress),
});
