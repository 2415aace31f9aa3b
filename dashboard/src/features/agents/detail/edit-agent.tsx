import type { Agent } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { AgentForm, useAgentFields } from '../agent-form';
import { useEditAgent } from '../changes';

export function EditAgent({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const { name, description, maxConcurrentIssues } = agent;
  const form = useAgentFields({ name, description, maxConcurrentIssues });
  const edit = useEditAgent(agent);
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Edit ${name}`}
      onSubmit={() => edit.mutate(form.fields, { onSuccess: onClose })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
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
