import { createFileRoute, Outlet, useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ElevatedGate, SignInOutcome } from '../../session/elevated/elevated-gate';

/** Servers, Catalogue and Access: the screens that need elevated mode. */
export const Route = createFileRoute('/_app/_elevated')({ component: Elevated });

function Elevated() {
  const [outcome, close] = useOutcome();
  return (
    <>
      {outcome !== null && <SignInOutcome outcome={outcome} onClose={close} />}
      <ElevatedGate>
        <Outlet />
      </ElevatedGate>
    </>
  );
}

/** The outcome with which a sign-in came back, until the server is left. It does not stay in the address. */
function useOutcome(): [string | null, () => void] {
  const { history } = useRouter();
  const { pathname, search } = useLocation();
  const place = pathname.split('/').slice(0, 3).join('/');
  const [shown, setShown] = useState<{ outcome: string; place: string } | null>(null);
  const outcome = 'signIn' in search && typeof search.signIn === 'string' ? search.signIn : null;
  useEffect(() => {
    if (outcome === null) return;
    setShown({ outcome, place });
    const address = new URL(location.href);
    address.searchParams.delete('signIn');
    history.replace(address.pathname + address.search);
  }, [outcome, place, history]);
  return [shown?.place === place ? shown.outcome : null, () => setShown(null)];
}
