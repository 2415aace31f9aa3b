import { useQuery } from '@tanstack/react-query';
import { Brand } from '../../parts/brand';
import { buttonClass, IconButton } from '../../parts/button';
import { Notice } from '../../parts/notice';
import { usePageTitle } from '../../parts/page';
import { providerUrl, signInMethodsQuery } from '../../session/sign-in-methods';
import { toggleTheme } from '../../theme/preferences';
import styles from './login-screen.module.css';
import { PasswordForm } from './password-form';
import { signInProblem } from './sign-in-problem';

/** Signs a person in and calls `onSignedIn`; `destination` says where they go on to, `problem` why they came back. */
export function LoginScreen({
  destination,
  problem,
  onSignedIn,
}: {
  destination: string | null;
  problem: string | null;
  onSignedIn: () => void;
}) {
  usePageTitle('Sign in');
  const { data: methods, isError, error } = useQuery(signInMethodsQuery);
  const provider = methods?.oidc ?? null;
  // A service that gives no answer about its methods is asked with a password, whose answer says what is wrong.
  const passwords = methods?.password ?? isError;
  return (
    <div className={styles.screen}>
      <main className="stack">
        <div className={styles.card}>
          <Brand />
          <div>
            <h1>Sign in</h1>
            {destination && <p className="soft">You go on to {destination} afterwards.</p>}
          </div>
          {problem && methods && <ProviderProblem reason={problem} name={provider?.name ?? 'The provider'} />}
          {isError && !methods && <Notice tone="bad">{error.message}</Notice>}
          {provider && (
            <a
              className={buttonClass({ look: 'primary', wraps: true })}
              href={providerUrl(provider.url, { returnTo: destination ?? '/' })}
            >
              Continue with {provider.name}
            </a>
          )}
          {provider && passwords && <p className={styles.or}>or with a password</p>}
          {passwords && <PasswordForm isFirst={provider === null} onSignedIn={onSignedIn} />}
        </div>
        <p className="small soft">
          {provider ? 'No access yet? Ask an Admin.' : 'No account yet? An Admin makes one for you.'}
        </p>
      </main>
      <footer className="row small soft">
        {location.host}
        <IconButton icon="theme" label="Switch between light and dark" onClick={toggleTheme} />
      </footer>
    </div>
  );
}

function ProviderProblem({ reason, name }: { reason: string; name: string }) {
  const [what, then] = signInProblem(reason, name);
  return (
    <Notice tone="bad">
      <p>
        <b>{what}</b> {then}
      </p>
    </Notice>
  );
}
