import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldErrors } from '../../../../api/field-errors';
import { asProblem } from '../../../../api/problem';
import type { User } from '../../../../api/types';
import { Button } from '../../../../parts/button';
import { Dialog } from '../../../../parts/dialog';
import { TextField } from '../../../../parts/field';
import { ProblemNotice } from '../../../../parts/notice';
import { useMe } from '../../../../session/me';
import { useJoin } from './changes';

interface JoinFormProps {
  user: User;
  provider: string;
  issuer: string;
  onClose: () => void;
}

/** Joins a user with a person at the provider, who is named by the subject and never by an e-mail address. */
export function JoinForm({ user, provider, issuer, onClose }: JoinFormProps) {
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
