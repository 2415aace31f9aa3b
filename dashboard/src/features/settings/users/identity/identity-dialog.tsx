import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../../../api/types';
import { Button } from '../../../../parts/button';
import { Fact, Facts } from '../../../../parts/card';
import { Confirm } from '../../../../parts/confirm';
import { Dialog } from '../../../../parts/dialog';
import { Loaded } from '../../../../parts/loaded';
import { useMe } from '../../../../session/me';
import { identityQuery, usePart } from './changes';
import { JoinForm } from './join-form';

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
