import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../../../api/client';
import { asProblem, fieldErrors } from '../../../../api/problem';
import { keys } from '../../../../api/keys';
import type { User } from '../../../../api/types';
import { Button } from '../../../../parts/button';
import { Fact, Facts } from '../../../../parts/card';
import { Confirm, Dialog } from '../../../../parts/dialog';
import { TextField } from '../../../../parts/field';
import { Loaded } from '../../../../parts/notice';
import { ProblemNotice } from '../../../../parts/notice';
import { announce } from '../../../../parts/toasts';
import { useMe } from '../../../../session/me';

const path = '/api/users/{userId}/identity';

/** Which person at the OpenID provider a user is; for Owners. */
const identityQuery = (userId: string) =>
  queryOptions({
    queryKey: [...keys.users, 'identity', userId],
    queryFn: () => bodyOf(api.GET(path, { params: { path: { userId } } })),
  });

/** Joins a user with the person of a subject, which ends the sessions of the user. */
function useJoin({ id: userId, name }: User) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (subject: string) =>
      bodyOf(api.PUT(path, { params: { path: { userId } }, body: { subject } })),
    onSuccess: async () => {
      announce(`${name} is joined`, 'Their sessions have ended; they sign in again.');
      await client.invalidateQueries({ queryKey: keys.users });
    },
  });
}

/** Separates a user from the person, which ends the sessions of the user. */
function usePart({ id: userId, name }: User, done: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE(path, { params: { path: { userId } } }),
    onSuccess: async () => {
      announce(`${name} is separated`, 'Their sessions have ended.');
      done();
      await client.invalidateQueries({ queryKey: keys.users });
    },
  });
}

interface JoinFormProps {
  user: User;
  provider: string;
  issuer: string;
  onClose: () => void;
}

/** Joins a user with a person at the provider, who is named by the subject and never by an e-mail address. */
function JoinForm({ user, provider, issuer, onClose }: JoinFormProps) {
  const isOwn = useMe().id === user.id;
  const [subject, setSubject] = useState('');
  const join = useJoin(user);
  const errors = fieldErrors(join.error, ['subject']);
  const isTaken = join.isError && asProblem(join.error).code === 'name_taken';
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${user.name} at ${provider}`}
      onSubmit={() => subject.trim() !== '' && join.mutate(subject.trim())}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            busy={join.isPending}
            aria-disabled={subject.trim() === '' || undefined}
          >
            Join
          </Button>
        </>
      }
    >
      <p>
        No one signs in with {provider} as {user.name} yet. A person with this e-mail address is refused,
        because an address proves nothing.
      </p>
      <TextField
        label="Subject"
        hint={
          <>
            What {provider} calls the person (<code>sub</code>), at <code>{issuer}</code>. Let the person try
            to sign in: the{' '}
            <Link to="/activity" search={{ type: 'login.failed' }} className="link">
              refused sign-in
            </Link>{' '}
            names the subject.
          </>
        }
        required
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={subject}
        error={isTaken ? asProblem(join.error).detail : errors.at('subject')}
        onChange={(event) => setSubject(event.target.value)}
      />
      <p className="soft small">
        {isOwn ? 'You are signed out' : `The sessions of ${user.name} end`} when the two are joined.
      </p>
      {errors.elsewhere && !isTaken && <ProblemNotice title="The two were not joined" error={join.error} />}
    </Dialog>
  );
}

interface IdentityDialogProps {
  user: User;
  /** The name of the OpenID provider. */
  provider: string;
  onClose: () => void;
}

/** Which person at the OpenID provider signs in as a user, with the ways to join and to separate the two. */
export function IdentityDialog({ user, provider, onClose }: IdentityDialogProps) {
  const identity = useQuery(identityQuery(user.id));
  const [isParting, setParting] = useState(false);
  if (isParting) return <Part user={user} provider={provider} onDone={() => setParting(false)} />;
  const subject = identity.data?.subject ?? null;
  if (identity.data && subject === null)
    return <JoinForm user={user} provider={provider} issuer={identity.data.issuer} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${user.name} at ${provider}`}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {subject !== null && (
            <Button look="danger" onClick={() => setParting(true)}>
              Separate
            </Button>
          )}
        </>
      }
    >
      <Loaded query={identity} what="The person at the provider">
        {({ issuer }) => (
          <>
            <p>
              This person signs in with {provider} as {user.name}.
            </p>
            <Facts>
              <Fact name="Subject">
                <code>{subject}</code>
              </Fact>
              <Fact name="Issuer">
                <code>{issuer}</code>
              </Fact>
            </Facts>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

interface PartProps {
  user: User;
  provider: string;
  onDone: () => void;
}

function Part({ user, provider, onDone }: PartProps) {
  const isOwn = useMe().id === user.id;
  const part = usePart(user, onDone);
  return (
    <Confirm
      open
      onClose={onDone}
      title={`Separate ${user.name} from the person at ${provider}?`}
      verb="Separate"
      onConfirm={() => part.mutate()}
      busy={part.isPending}
      error={part.error}
    >
      <p>
        {isOwn ? 'You are signed out' : 'Their sessions end'}, and no one signs in with {provider} as{' '}
        {user.name} any more. A password and keys stay. You can join the two again.
      </p>
    </Confirm>
  );
}
