import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { LoginScreen } from '../features/sign-in/login-screen';
import { forget } from '../session/elevated/elevated-mode';

interface LoginSearch {
  /** The address within the dashboard that sign-in leads to. */
  next?: string | undefined;
  /** Why the sign-in at the provider led back here. */
  problem?: string | undefined;
}

export const Route = createFileRoute('/login')({
  // A key that is left out keeps its raw value, so an address that is refused is set to undefined.
  validateSearch: ({ next, problem }: Record<string, unknown>): LoginSearch => ({
    next: isOwnAddress(next) ? next : undefined,
    problem: typeof problem === 'string' ? problem : undefined,
  }),
  // A session that has ended took its elevated key with it.
  beforeLoad: forget,
  component: Login,
});

/** Only an address of this origin: `//host` and `https:` would lead away after the sign-in. */
const isOwnAddress = (next: unknown): next is string => typeof next === 'string' && /^\/(?![/\\])/.test(next);

function Login() {
  const { next, problem } = Route.useSearch();
  const navigate = useNavigate();
  return (
    <LoginScreen
      problem={problem ?? null}
      destination={next && next !== '/' ? next : null}
      onSignedIn={() => void navigate({ href: next ?? '/', replace: true })}
    />
  );
}
