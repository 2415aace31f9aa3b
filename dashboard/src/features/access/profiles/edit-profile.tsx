import { useState } from 'react';
import { asProblem } from '../../../api/problem';
import { fieldErrors } from '../../../api/field-errors';
import type { AccessMatrix, Profile } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Confirm } from '../../../parts/confirm';
import { Dialog } from '../../../parts/dialog';
import { TextField } from '../../../parts/field';
import { ProblemNotice } from '../../../parts/notice';
import { useDraft } from '../../../session/draft';
import { AgentChoice } from './agent-choice';
import { useDeleteProfile, useSaveProfile } from './changes';
import styles from './profiles.module.css';

interface EditProfileProps {
  /** Null makes a new one. */
  profile: Profile | null;
  agents: AccessMatrix['agents'];
  onClose: () => void;
}

/** The name of a profile and the agents that have it. What it gives is chosen in its row of the matrix. */
export function EditProfile({ profile, agents, onClose }: EditProfileProps) {
  const {
    value: draft,
    set,
    discard,
  } = useDraft(`profile ${profile?.id ?? 'new'}`, {
    name: profile?.name ?? '',
    agentIds: profile?.agentIds ?? [],
  });
  const { name } = draft;
  const chosen: ReadonlySet<string> = new Set(draft.agentIds);
  const close = () => {
    discard();
    onClose();
  };
  // What another admin changes while the dialog is open is not the person's change.
  const [opened] = useState(profile);
  const [isDeleting, setDeleting] = useState(false);
  const save = useSaveProfile(opened, close);
  if (profile && isDeleting)
    return <DeleteProfile profile={profile} onKeep={() => setDeleting(false)} onDeleted={close} />;
  const errors = fieldErrors(save.error, ['name']);
  const isTaken = save.isError && asProblem(save.error).code === 'name_taken';
  return (
    <Dialog
      open
      onClose={close}
      title={profile ? `Profile ${profile.name}` : 'New profile'}
      onSubmit={() => save.mutate({ name, agentIds: [...chosen] })}
      footer={
        <>
          {profile && (
            <Button look="danger" className={styles.delete} onClick={() => setDeleting(true)}>
              Delete profile
            </Button>
          )}
          <Button onClick={close}>Cancel</Button>
          <Button look="primary" type="submit" busy={save.isPending}>
            {profile ? 'Save profile' : 'Create profile'}
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        hint={
          profile
            ? undefined
            : 'A profile gives several servers to several agents: Writers, Readers of the warehouse.'
        }
        required
        autoFocus
        autoComplete="off"
        value={name}
        error={isTaken ? 'Another profile has this name.' : errors.at('name')}
        onChange={(event) => set({ ...draft, name: event.target.value })}
      />
      <AgentChoice
        agents={agents}
        chosen={chosen}
        onChange={(next) => set({ ...draft, agentIds: [...next] })}
      />
      {errors.elsewhere && !isTaken && <ProblemNotice title="The profile was not saved" error={save.error} />}
    </Dialog>
  );
}

interface DeleteProfileProps {
  profile: Profile;
  onKeep: () => void;
  onDeleted: () => void;
}

function DeleteProfile({ profile, onKeep, onDeleted }: DeleteProfileProps) {
  const remove = useDeleteProfile(profile, onDeleted);
  const agents = profile.agentIds.length;
  return (
    <Confirm
      open
      onClose={onKeep}
      title={`Delete ${profile.name}?`}
      verb="Delete profile"
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      error={remove.error}
    >
      <p>
        {agents === 0
          ? 'No agent has it.'
          : `${agents === 1 ? '1 agent has it and loses' : `${agents} agents have it and lose`} what only this profile gives, at the next call.`}{' '}
        Grants and other profiles stay. This cannot be undone.
      </p>
    </Confirm>
  );
}
