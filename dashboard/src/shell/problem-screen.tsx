import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { asProblem } from '../api/problem';
import { mayPass, Recovering } from '../parts/later';
import { Missing, ProblemNotice } from '../parts/notice';

/** Any address that no screen has. */
export function NotFoundScreen() {
  return <Missing title="There is nothing at this address" />;
}

/** Shown in place of a screen that could not be loaded. What may pass is tried again by itself. */
export function ProblemScreen({ error }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  if (asProblem(error).status === 404) return <NotFoundScreen />;
  const retry = () => {
    queries.reset();
    void router.invalidate();
  };
  if (mayPass(error)) return <Recovering what="This screen" error={error} onRetry={retry} />;
  return <ProblemNotice title="This screen cannot be shown" error={error} onRetry={retry} />;
}
