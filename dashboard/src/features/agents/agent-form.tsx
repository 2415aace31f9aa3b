import { fieldErrors } from '../../api/field-errors';
import { TextArea, TextField } from '../../parts/field';
import { ProblemNotice } from '../../parts/notice';
import { useDraft } from '../../session/draft';
import type { AgentFields } from './changes';

const fieldNames = ['name', 'description', 'maxConcurrentIssues'] as const;

const empty: AgentFields = { name: '', description: '', maxConcurrentIssues: 10 };

/** @param agentId the agent that is edited; absent for a new one */
export function useAgentFields(agentId = 'new', start = empty) {
  const { value: fields, set, discard } = useDraft(`agent ${agentId}`, start);
  return { fields, set: (part: Partial<AgentFields>) => set({ ...fields, ...part }), discard };
}

interface AgentFormProps extends Pick<ReturnType<typeof useAgentFields>, 'fields' | 'set'> {
  error: unknown;
  /** The heading of a refusal that belongs to no field. */
  refused: string;
}

/** The fields of an agent, in the dialogs that create and edit it. */
export function AgentForm({ fields, set, error, refused }: AgentFormProps) {
  const errors = fieldErrors(error, fieldNames);
  return (
    <>
      <TextField
        label="Name"
        hint="What it does: “Backend coder”"
        required
        autoFocus
        value={fields.name}
        error={errors.at('name')}
        onChange={(event) => set({ name: event.target.value })}
      />
      <TextArea
        label="Description"
        hint="For people who decide what to assign to it. May be left empty."
        rows={3}
        value={fields.description}
        error={errors.at('description')}
        onChange={(event) => set({ description: event.target.value })}
      />
      <TextField
        label="Issues at a time"
        hint="How many it takes before one is finished."
        type="number"
        min={1}
        max={1_000}
        required
        value={Number.isNaN(fields.maxConcurrentIssues) ? '' : fields.maxConcurrentIssues}
        error={errors.at('maxConcurrentIssues')}
        onChange={(event) => set({ maxConcurrentIssues: event.target.valueAsNumber })}
      />
      {errors.elsewhere && <ProblemNotice title={refused} error={error} />}
    </>
  );
}
