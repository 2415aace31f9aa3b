import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { asProblem } from '../../api/problem';
import { buttonClass } from '../../parts/button';
import { Icon } from '../../parts/icon';
import { ProblemNotice } from '../../parts/notice';
import { providerUrl, signInMethodsQuery } from '../sign-in-methods';
import styles from './elevated.module.css';
import { readAgain } from './client';
import { elevate } from './store';

/** Survives the way to the provider and back, and nothing else: it says that a key is to be asked for. */
const ON_THE_WAY = 'awp.confirming';

/** Asks a person without a password to enter the credentials at the provider again. */
export function ConfirmAtProvider({ again }: { again: boolean }) {
  const client = useQueryClient();
  const provider = useQuery(signInMethodsQuery).data?.oidc;
  const { mutate, isError, isPending, error } = useMutation({
    mutationFn: () => elevate(),
    onSuccess: () => readAgain(client),
  });
  useEffect(() => {
    if (sessionStorage.getItem(ON_THE_WAY) === null) return;
    sessionStorage.removeItem(ON_THE_WAY);
    mutate();
  }, [mutate]);
  // A person who comes back by the browser's own button has confirmed nothing, and is simply asked again.
  const failed = isError && asProblem(error).code !== 'confirmation_missing';
  return (
    <div className={styles.ask}>
      <div>
        <Icon name="shield" />
        <h1>{again ? 'Confirm again to go on' : 'Confirm who you are'}</h1>
        <p className="soft">
          {again
            ? 'The 15 minutes are over. Save what you need first: this page is left for a moment.'
            : 'Servers hold credentials and decide what agents can do. You manage them for 15 minutes.'}
        </p>
      </div>
      {failed && <ProblemNotice title="This was not confirmed" error={error} />}
      {provider && !isPending && (
        <a
          className={buttonClass({ look: 'primary', wraps: true })}
          href={providerUrl(provider.url, {
            returnTo: location.pathname + location.search,
            confirm: 'true',
          })}
          onClick={() => sessionStorage.setItem(ON_THE_WAY, 'yes')}
        >
          Confirm with {provider.name}
        </a>
      )}
    </div>
  );
}
