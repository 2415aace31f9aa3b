import type { CredentialSet } from '../../../api/types';
import { Time } from '../../../parts/time';

/** At which authorization server a set is signed in, by whom and since when. */
export function SignInFacts({ set: { signIn, state } }: { set: CredentialSet }) {
  if (signIn?.signedInAt == null) return null;
  const { authorizationServer, signedInBy, signedInAt, scope } = signIn;
  return (
    <p className="soft small">
      {state === 'sign_in_needed' || state === 'revoked' ? 'Was last signed in' : 'Signed in'} at{' '}
      <code>{authorizationServer}</code> by {signedInBy ?? 'a user who was deleted'},{' '}
      <Time iso={signedInAt} />
      {scope !== null && scope !== '' && (
        <>
          , for <code>{scope}</code>
        </>
      )}
      .
    </p>
  );
}
