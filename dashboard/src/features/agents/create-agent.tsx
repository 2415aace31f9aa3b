import type { NewAgent } from '../../api/types';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { ShownOnce } from '../../parts/shown-once';
import { AgentForm, useAgentFields } from './agent-form';
import { useCreateAgent } from './changes';
import { ConnectSnippets } from './connect/connect-snippets';

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
    <Dialog
      open
      onClose={onClose}
      title="New agent"
      onSubmit={() => create.mutate(form.fields, { onSuccess: discard })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={create.isPending}>
            Create agent
          </Button>
        </>
      }
    >
      <AgentForm {...form} error={create.error} refused="The agent was not created" />
    </Dialog>
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
