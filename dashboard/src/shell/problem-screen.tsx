import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { AGAIN_MS, asProblem, isPassing } from '../api/problem';
import { Missing, ProblemNotice } from '../parts/notice';

/** Any address that no screen has. */
export function NotFoundScreen() {
  return <Missing title="There is nothing at this address" />;
}

/** Shown in place of a screen that could not be loaded. What may pass is tried again by itself. */
export function ProblemScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const passing = isPassing(error);
  const retry = useCallback(() => {
    reset();
    void router.invalidate();
  }, [reset, router]);
  useEffect(() => {
    if (!passing) return;
    const timer = setInterval(retry, AGAIN_MS);
    return () => clearInterval(timer);
  }, [passing, retry]);
  if (asProblem(error).status === 404) return <NotFoundScreen />;
  return <ProblemNotice title="This screen cannot be shown" error={error} onRetry={retry} />;
}
