import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/client';
import { fieldErrors } from '../../../api/field-errors';
import { keys } from '../../../api/keys';
import { asProblem } from '../../../api/problem';
import type { Issue } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { TextArea, TextField } from '../../../parts/field';
import { ProblemNotice } from '../../../parts/notice';
import { announce } from '../../../parts/toasts';
import { useDraft } from '../../../session/draft';
import { Conflict } from './conflict';
import type { IssueText } from './issue-text';

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
