import { useState } from 'react';
import { asProblem } from '../../../api/problem';
import { fieldErrors } from '../../../api/field-errors';
import type { AccessMatrix, Profile } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Confirm } from '../../../parts/confirm';
import { Dialog } from '../../../parts/dialog';
import { TextField } from '../../../parts/field';
import { ProblemNotice } from '../../../parts/notice';
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
  const [name, setName] = useState(profile?.name ?? '');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(profile?.agentIds));
  // What another admin changes while the dialog is open is not the person's change.
  const [opened] = useState(profile);
  const [isDeleting, setDeleting] = useState(false);
  const save = useSaveProfile(opened, onClose);
  if (profile && isDeleting)
    return <DeleteProfile profile={profile} onKeep={() => setDeleting(false)} onDeleted={onClose} />;
  const errors = fieldErrors(save.error, ['name']);
  const isTaken = save.isError && asProblem(save.error).code === 'name_taken';
  return (
    <Dialog
      open
      onClose={onClose}
      title={profile ? `Profile ${profile.name}` : 'New profile'}
      onSubmit={() => save.mutate({ name, agentIds: [...chosen] })}
      footer={
        <>
          {profile && (
            <Button look="danger" className={styles.delete} onClick={() => setDeleting(true)}>
              Delete profile
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
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
        onChange={(event) => setName(event.target.value)}
      />
      <AgentChoice agents={agents} chosen={chosen} onChange={setChosen} />
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
