import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import { asProblem } from '../../api/problem';
import type { Issue, Priority } from '../../api/types';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { SelectField, TextArea, TextField } from '../../parts/field';
import { ProblemNotice } from '../../parts/notice';
import { priorityWord } from '../../parts/status';
import { announce } from '../../parts/toasts';
import { agentsQuery } from '../../api/lists';
import { useDraft } from '../../session/draft';

interface CreateIssueProps {
  project: string;
  open: boolean;
  onClose: () => void;
}

const empty = {
  title: '',
  description: '',
  assignedAgentId: '',
  blockedByIssueId: '',
  priority: 'none' as Priority,
};

/** Creates an issue. What was typed stays until the service has accepted it. */
export function CreateIssue({ project, open, onClose }: CreateIssueProps) {
  const client = useQueryClient();
  const agents = useQuery({ ...agentsQuery, enabled: open });
  const { value: fields, set: setFields, discard } = useDraft(`issue ${project}`, empty);
  const create = useMutation({
    mutationFn: () => send(project, fields),
    onSuccess: async (issue) => {
      discard();
      onClose();
      announce(`${issue.key} is created`);
      await client.invalidateQueries({ queryKey: keys.issues });
    },
  });
  const set = (part: Partial<typeof empty>) => setFields({ ...fields, ...part });
  const errorAt = (path: string) =>
    create.isError ? asProblem(create.error).errors.find((error) => error.path === path)?.message : undefined;
  const elsewhere = create.isError && !Object.keys(empty).some((path) => errorAt(path) !== undefined);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="New issue"
      onSubmit={() => create.mutate()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={create.isPending}>
            Create issue
          </Button>
        </>
      }
    >
      <TextField
        label="Title"
        hint="Short, as an order: “Make refunds idempotent”"
        required
        autoFocus
        value={fields.title}
        error={errorAt('title')}
        onChange={(event) => set({ title: event.target.value })}
      />
      <TextArea
        label="Description"
        hint="The brief that the agent reads. Markdown."
        rows={6}
        value={fields.description}
        error={errorAt('description')}
        onChange={(event) => set({ description: event.target.value })}
      />
      <SelectField
        label="Assign to"
        value={fields.assignedAgentId}
        error={errorAt('assignedAgentId')}
        onChange={(event) => set({ assignedAgentId: event.target.value })}
      >
        <option value="">Unassigned</option>
        {agents.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Priority"
        value={fields.priority}
        onChange={(event) => set({ priority: event.target.value as Priority })}
      >
        {(['none', 'low', 'medium', 'high', 'urgent'] as const).map((priority) => (
          <option key={priority} value={priority}>
            {priorityWord(priority)}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Blocked by"
        hint="The key of an issue that must be finished first. May be left empty."
        value={fields.blockedByIssueId}
        error={errorAt('blockedByIssueId')}
        onChange={(event) => set({ blockedByIssueId: event.target.value })}
      />
      {elsewhere && <ProblemNotice title="The issue was not created" error={create.error} />}
    </Dialog>
  );
}

function send(
  projectId: string,
  { title, description, assignedAgentId, blockedByIssueId, priority }: typeof empty,
): Promise<Issue> {
  return bodyOf(
    api.POST('/api/projects/{projectId}/issues', {
      params: { path: { projectId }, header: { 'Idempotency-Key': crypto.randomUUID() } },
      body: {
        title,
        priority,
        ...(description === '' ? {} : { description }),
        ...(assignedAgentId === '' ? {} : { assignedAgentId }),
        ...(blockedByIssueId.trim() === '' ? {} : { blockedByIssueId: blockedByIssueId.trim() }),
      },
    }),
  );
}
