import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/client';
import { asProblem, fieldErrors } from '../../../api/problem';
import { keys } from '../../../api/keys';
import type { Issue } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { TextArea, TextField } from '../../../parts/field';
import { ProblemNotice, Skeleton } from '../../../parts/notice';
import { Time } from '../../../parts/time';
import { announce } from '../../../parts/toasts';
import { useDraft } from '../../../session/draft';
import { issueQuery } from '../queries';
import styles from './edit-issue.module.css';

/** What people write of an issue. */
interface IssueText {
  title: string;
  description: string;
}

interface Line {
  text: string;
  /** Whether the version before did not have it. */
  changed: boolean;
}

/** The lines of a text, with a mark on those that an earlier version did not have. */
export function linesAgainst(before: string, text: string): Line[] {
  const known = new Map<string, number>();
  for (const line of before.split('\n')) known.set(line, (known.get(line) ?? 0) + 1);
  return text.split('\n').map((line) => {
    const left = known.get(line) ?? 0;
    known.set(line, left - 1);
    return { text: line, changed: left <= 0 };
  });
}

interface ConflictProps {
  issueKey: string;
  /** What was there when the person began to write. */
  base: IssueText & { version: number };
  mine: IssueText;
  busy: boolean;
  onMine: (theirs: Issue) => void;
  onTheirs: () => void;
  onEdit: (theirs: Issue) => void;
}

/** Both versions side by side when an issue changed while someone wrote; nothing is lost until they decide. */
function Conflict({ issueKey, base, mine, busy, onMine, onTheirs, onEdit }: ConflictProps) {
  const latest = useQuery({ ...issueQuery(issueKey), staleTime: 0, refetchOnMount: 'always' });
  const theirs = latest.data;
  return (
    <Dialog
      open
      wide
      onClose={onTheirs}
      title="This issue changed while you wrote"
      footer={
        theirs && (
          <>
            <Button onClick={onTheirs}>Keep theirs</Button>
            <Button onClick={() => onEdit(theirs)}>Edit mine further</Button>
            <Button look="primary" busy={busy} onClick={() => onMine(theirs)}>
              Save mine over it
            </Button>
          </>
        )
      }
    >
      <p className="soft">
        You read version {base.version}
        {theirs && `, it is at ${theirs.version}`}. Your text stays here until you decide.
      </p>
      {latest.isError && (
        <ProblemNotice
          title="The present version cannot be shown"
          error={latest.error}
          onRetry={() => void latest.refetch()}
        />
      )}
      {latest.isPending && <Skeleton />}
      {theirs && (
        <div className={styles.versions}>
          <Version name="Yours, not saved" base={base} text={mine} />
          <Version name="Theirs" since={theirs.updatedAt} base={base} text={theirs} />
        </div>
      )}
    </Dialog>
  );
}

interface VersionProps {
  name: string;
  since?: string;
  base: IssueText;
  text: IssueText;
}

function Version({ name, since, base, text }: VersionProps) {
  return (
    <section className={styles.version} aria-label={name}>
      <h3>
        {name}
        {since && (
          <span className="soft small">
            {' '}
            <Time iso={since} />
          </span>
        )}
      </h3>
      <div className={styles.text} tabIndex={0} role="region" aria-label={`${name}: text`}>
        <Lines before={base.title} text={text.title} />
        <hr />
        <Lines before={base.description} text={text.description} />
      </div>
    </section>
  );
}

function Lines({ before, text }: { before: string; text: string }) {
  return linesAgainst(before, text).map(({ text: line, changed }, index) =>
    changed ? (
      <ins key={index}>
        <span className="sr-only">Changed: </span>
        {line || ' '}
      </ins>
    ) : (
      <p key={index}>{line || ' '}</p>
    ),
  );
}

interface EditIssueProps {
  issue: Issue;
  onClose: () => void;
}

/** Edits title and description. What changed meanwhile is shown beside what was typed, and the person decides. */
export function EditIssue({ issue, onClose }: EditIssueProps) {
  const { title, description, version } = issue;
  const start = { base: { title, description, version }, text: { title, description } };
  const { value: draft, set: setDraft, discard } = useDraft(`edit ${issue.id}`, start);
  const { base, text } = draft;
  const setBase = (next: IssueText & { version: number }) => setDraft({ ...draft, base: next });
  const setText = (next: IssueText) => setDraft({ ...draft, text: next });
  const close = () => {
    discard();
    onClose();
  };
  const save = useSave(issue, () => {
    announce(`${issue.key} is changed`);
    close();
  });
  const conflict = save.isError && asProblem(save.error).status === 412;
  const errors = fieldErrors(conflict ? null : save.error, ['title', 'description']);
  if (conflict)
    return (
      <Conflict
        issueKey={issue.key}
        base={base}
        mine={text}
        busy={save.isPending}
        onMine={(theirs) => {
          setBase({ title: theirs.title, description: theirs.description, version: theirs.version });
          save.mutate({ text, version: theirs.version });
        }}
        onTheirs={close}
        onEdit={(theirs) => {
          setBase({ title: theirs.title, description: theirs.description, version: theirs.version });
          save.reset();
        }}
      />
    );
  return (
    <Dialog
      open
      wide
      onClose={close}
      title={`Edit ${issue.key}`}
      onSubmit={() => save.mutate({ text, version: base.version })}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button look="primary" type="submit" busy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <TextField
        label="Title"
        required
        autoFocus
        value={text.title}
        error={errors.at('title')}
        onChange={(event) => setText({ ...text, title: event.target.value })}
      />
      <TextArea
        label="Description"
        hint="The brief that the agent reads. Markdown."
        rows={14}
        value={text.description}
        error={errors.at('description')}
        onChange={(event) => setText({ ...text, description: event.target.value })}
      />
      {errors.elsewhere && <ProblemNotice title="The issue was not changed" error={save.error} />}
    </Dialog>
  );
}

function useSave({ id: issueId }: Issue, onSaved: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ text: { title, description }, version }: { text: IssueText; version: number }) =>
      api.PUT('/api/projects/issues/{issueId}', {
        params: { path: { issueId }, header: { 'If-Match': `"${version}"` } },
        body: { title, description },
      }),
    onSuccess: onSaved,
    onSettled: () => client.invalidateQueries({ queryKey: keys.issues }),
  });
}
