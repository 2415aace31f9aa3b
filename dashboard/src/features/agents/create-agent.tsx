import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import { fieldErrors } from '../../api/problem';
import type { NewAgent } from '../../api/types';
import { Button } from '../../parts/button';
import { Dialog, FormDialog } from '../../parts/dialog';
import { TextArea, TextField } from '../../parts/field';
import { ShownOnce } from '../../parts/snippet';
import { useDraft } from '../../session/draft';
import { ConnectSnippets } from './connect/connect-tab';

export interface AgentFields {
  name: string;
  description: string;
  maxConcurrentIssues: number;
}

function useCreateAgent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: AgentFields) => bodyOf(api.POST('/api/agents', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.agents }),
    // The response holds the agent's first key; it is forgotten with the dialog.
    gcTime: 0,
  });
}

const fieldNames = ['name', 'description', 'maxConcurrentIssues'] as const;

const empty: AgentFields = { name: '', description: '', maxConcurrentIssues: 10 };

/** @param agentId the agent that is edited; absent for a new one */
export function useAgentFields(agentId = 'new', start = empty) {
  const { value: fields, set, discard } = useDraft(`agent ${agentId}`, start);
  return { fields, set: (part: Partial<AgentFields>) => set({ ...fields, ...part }), discard };
}

interface AgentFormProps
  extends
    Pick<ReturnType<typeof useAgentFields>, 'fields' | 'set'>,
    Omit<ComponentProps<typeof FormDialog>, 'children' | 'refusal'> {
  /** Why the service refused the fields, or null. */
  error: unknown;
}

/** The fields of an agent, which is created or edited with them. */
export function AgentForm({ fields, set, error, ...dialog }: AgentFormProps) {
  const errors = fieldErrors(error, fieldNames);
  return (
    <FormDialog {...dialog} refusal={errors.elsewhere && error}>
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
    </FormDialog>
  );
}

interface CreateAgentProps {
  onClose: () => void;
  /** Called with the new agent when the person has copied its key and goes on. */
  onOpen: (agent: NewAgent) => void;
}

/** Creates an agent, then shows its first key, once, with how a client connects. */
export function CreateAgent({ onClose, onOpen }: CreateAgentProps) {
  const create = useCreateAgent();
  if (create.data) return <Created agent={create.data} onClose={onClose} onOpen={onOpen} />;
  return <NewAgentForm create={create} onClose={onClose} />;
}

function NewAgentForm({
  create,
  onClose,
}: {
  create: ReturnType<typeof useCreateAgent>;
  onClose: () => void;
}) {
  const { discard, ...form } = useAgentFields();
  return (
    <AgentForm
      {...form}
      onClose={onClose}
      title="New agent"
      onSubmit={() => create.mutate(form.fields, { onSuccess: discard })}
      verb="Create agent"
      busy={create.isPending}
      error={create.error}
      refused="The agent was not created"
    />
  );
}

function Created({ agent, onClose, onOpen }: CreateAgentProps & { agent: NewAgent }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${agent.name} is created`}
      footer={
        <>
          <Button onClick={onClose}>Done</Button>
          <Button look="primary" onClick={() => onOpen(agent)}>
            Open {agent.name}
          </Button>
        </>
      }
    >
      <ShownOnce what="key" secret={agent.key} />
      <p>
        Put the key in the variable <code>AWP_AGENT_KEY</code> where the agent runs, then connect its client:
      </p>
      <ConnectSnippets url={agent.connect.url} />
    </Dialog>
  );
}
