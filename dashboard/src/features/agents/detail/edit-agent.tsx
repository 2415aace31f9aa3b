import type { Agent } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { AgentForm, useAgentFields } from '../agent-form';
import { useEditAgent } from '../changes';

export function EditAgent({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const { name, description, maxConcurrentIssues } = agent;
  const { discard, ...form } = useAgentFields(agent.id, { name, description, maxConcurrentIssues });
  const close = () => {
    discard();
    onClose();
  };
  const edit = useEditAgent(agent);
  return (
    <Dialog
      open
      onClose={close}
      title={`Edit ${name}`}
      onSubmit={() => edit.mutate(form.fields, { onSuccess: close })}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button look="primary" type="submit" busy={edit.isPending}>
            Save
          </Button>
        </>
      }
    >
      <AgentForm {...form} error={edit.error} refused="The agent was not saved" />
    </Dialog>
  );
}
