import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import type { Halt } from '../../api/types';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { TextField } from '../../parts/field';
import { ProblemNotice } from '../../parts/notice';
import { announce } from '../../parts/toasts';
import { useDraft } from '../draft';

/** Whether all agents are stopped, and why. */
export const haltQuery = queryOptions({
  queryKey: keys.halt,
  queryFn: () => bodyOf(api.GET('/api/agents/halt')),
});

/** Stops all agents, or lets them go on. */
function useSetHalt(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Halt) => bodyOf(api.PUT('/api/agents/halt', { body })),
    onSuccess: (halt) => {
      client.setQueryData(keys.halt, halt);
      announce(halt.halted ? 'All agents are halted' : 'Agents go on');
      onDone();
    },
  });
}

/** Stops all agents, with a reason; for Admins. While they are halted, the banner of every screen has its opposite. */
export function HaltButton() {
  const halted = useQuery(haltQuery).data?.halted ?? false;
  const [open, setOpen] = useState(false);
  if (halted) return null;
  return (
    <>
      <Button icon="pause" onClick={() => setOpen(true)}>
        Halt all agents
      </Button>
      {open && <HaltDialog onClose={() => setOpen(false)} />}
    </>
  );
}

/** Lets all agents go on; for Admins. */
export function GoOnButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        Let agents go on
      </Button>
      {open && <GoOnDialog onClose={() => setOpen(false)} />}
    </>
  );
}

/** Asks for the reason, then stops all agents. */
export function HaltDialog({ onClose }: { onClose: () => void }) {
  const { value: reason, set: setReason, discard } = useDraft('halt', '');
  const halt = useSetHalt(() => {
    discard();
    onClose();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Halt all agents?"
      onSubmit={() => halt.mutate({ halted: true, reason: reason.trim() || null })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger-solid" type="submit" busy={halt.isPending}>
            Halt all agents
          </Button>
        </>
      }
    >
      <p>
        No agent is given work or tools until you let them go on. Those at work stop on their next heartbeat.
      </p>
      <TextField
        label="Reason"
        hint="Everyone sees it at the top of every screen: “Rotating all credentials”"
        autoFocus
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {halt.isError && <ProblemNotice title="The agents were not halted" error={halt.error} />}
    </Dialog>
  );
}

export function GoOnDialog({ onClose }: { onClose: () => void }) {
  const reason = useQuery(haltQuery).data?.reason;
  const goOn = useSetHalt(onClose);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Let all agents go on?"
      onSubmit={() => goOn.mutate({ halted: false, reason: null })}
      footer={
        <>
          <Button onClick={onClose}>Keep them halted</Button>
          <Button look="primary" type="submit" busy={goOn.isPending}>
            Let agents go on
          </Button>
        </>
      }
    >
      <p>
        {reason ? `They were halted because: ${reason}. ` : ''}Each agent gets work and tools again on its
        next heartbeat.
      </p>
      {goOn.isError && <ProblemNotice title="The agents stay halted" error={goOn.error} />}
    </Dialog>
  );
}
