import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf } from '../../../api/client';
import { asProblem, fieldErrors } from '../../../api/problem';
import type { AccessMatrix, Profile } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Confirm, Dialog } from '../../../parts/dialog';
import { inputClass, TextField } from '../../../parts/field';
import { ProblemNotice } from '../../../parts/notice';
import { Tag } from '../../../parts/status';
import { announce } from '../../../parts/toasts';
import { useDraft } from '../../../session/draft';
import { mcp } from '../../../session/elevated/elevated-mode';
import { useServerRefresh } from '../../../shared/mcp/queries';
import { type Edits, entriesAfter } from '../grants';
import styles from './profiles.module.css';

const MOST_TRIES = 5;

type Change = Partial<Pick<Profile, 'name' | 'agentIds' | 'entries'>>;

/**
 * Changes a profile as it is now. A request replaces all entries or all agents, so it carries the version that was read: when
 * another admin changed the profile meanwhile, it is read and changed again.
 */
async function changeProfile(profileId: string, change: (current: Profile) => Change): Promise<Profile> {
  const path = { profileId };
  for (let tries = 1; ; tries += 1) {
    // The version stays when an agent or a server of the profile is removed, and the browser may hold the answer of before.
    const read = { params: { path }, cache: 'no-store' } as const;
    const current = await bodyOf(mcp.GET('/api/mcp/profiles/{profileId}', read));
    const params = { path, header: { 'If-Match': `"${current.version}"` } };
    try {
      return await bodyOf(mcp.PUT('/api/mcp/profiles/{profileId}', { params, body: change(current) }));
    } catch (error) {
      if (tries === MOST_TRIES || asProblem(error).code !== 'version_mismatch') throw error;
    }
  }
}

/**
 * The agents of a profile after a person has chosen: only what the person changed since the list was opened changes, and what
 * another admin changed meanwhile stays.
 */
export function agentsAfter(
  current: readonly string[],
  opened: readonly string[],
  chosen: readonly string[],
): string[] {
  const [before, after] = [new Set(opened), new Set(chosen)];
  const kept = current.filter((id) => after.has(id) || !before.has(id));
  const added = chosen.filter((id) => !before.has(id) && !kept.includes(id));
  return [...kept, ...added];
}

/** Saves the edited entries of a profile. */
export function saveEntries(profileId: string, edits: Edits): Promise<Profile> {
  return changeProfile(profileId, (current) => ({ entries: entriesAfter(current, edits) }));
}

interface ProfileFields {
  name: string;
  agentIds: string[];
}

/** Creates a profile, or changes the name and the agents of one as it was opened. */
function useSaveProfile(profile: Profile | null, done: () => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: ({ name, agentIds }: ProfileFields) =>
      profile === null
        ? bodyOf(mcp.POST('/api/mcp/profiles', { body: { name, agentIds } }))
        : changeProfile(profile.id, (current) => ({
            ...(name !== profile.name && { name }),
            agentIds: agentsAfter(current.agentIds, profile.agentIds, agentIds),
          })),
    onSuccess: async ({ name }) => {
      announce(
        `${name} is ${profile === null ? 'created' : 'saved'}`,
        profile === null ? 'Choose its servers in its row.' : undefined,
      );
      await refresh();
      done();
    },
  });
}

function useDeleteProfile({ id: profileId, name }: Profile, done: () => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: () => mcp.DELETE('/api/mcp/profiles/{profileId}', { params: { path: { profileId } } }),
    onSuccess: async () => {
      announce(`${name} is deleted`);
      done();
      await refresh();
    },
  });
}

type Agent = AccessMatrix['agents'][number];

/** The agents whose name has the words; those that were chosen come first, otherwise the order stays. */
function inOrderOfChoice(agents: readonly Agent[], chosen: ReadonlySet<string>, words: string): Agent[] {
  const wanted = words.trim().toLowerCase();
  return agents
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((one, other) => Number(chosen.has(other.id)) - Number(chosen.has(one.id)));
}

interface AgentChoiceProps {
  agents: AccessMatrix['agents'];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** The agents that have a profile. Those that had it when the list was opened come first, and no row moves while it is open. */
function AgentChoice({ agents, chosen, onChange }: AgentChoiceProps) {
  const [words, setWords] = useState('');
  const [first] = useState(chosen);
  const shown = inOrderOfChoice(agents, first, words);
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <fieldset className={styles.agents}>
      <legend>
        Agents <span className="soft">{chosen.size === 0 ? 'none chosen' : `${chosen.size} chosen`}</span>
      </legend>
      <input
        className={inputClass}
        type="search"
        aria-label="Find an agent"
        placeholder="Find an agent"
        value={words}
        onChange={(event) => setWords(event.target.value)}
        // Enter would send the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <ul className={styles.list} aria-label="Agents">
        {shown.map(({ id, name, disabled }) => (
          <li key={id}>
            <label>
              <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
              <span>{name}</span>
              {disabled && <Tag icon="disabled">Disabled</Tag>}
            </label>
          </li>
        ))}
      </ul>
      {shown.length === 0 && (
        <p className="soft small">
          {agents.length === 0 ? 'There are no agents yet.' : 'No agent has this name.'}
        </p>
      )}
    </fieldset>
  );
}

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
