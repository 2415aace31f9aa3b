import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { asProblem } from '../api/problem';
import { ProblemNotice } from '../parts/notice';
import { NotFoundScreen } from './not-found-screen';

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
