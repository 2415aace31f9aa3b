import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { asProblem } from '../api/problem';
import { Missing, ProblemNotice } from '../parts/notice';

/** Any address that no screen has. */
export function NotFoundScreen() {
  return <Missing title="There is nothing at this address" />;
}

/** Shown in place of a screen that could not be loaded. */
export function ProblemScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  if (asProblem(error).status === 404) return <NotFoundScreen />;
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <ProblemNotice title="This screen cannot be shown" error={error} onRetry={retry} />;
}
