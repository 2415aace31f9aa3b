import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { CatchBoundary, type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { asProblem, isPassing } from '../api/problem';
import { Button } from './button';
import { Missing, Notice, ProblemNotice } from './notice';

/** How often a page that misses something looks whether the service answers. */
const CHECK_MS = 2_000;
/** A retry that fails so soon after the one before cannot help: the page is of another build. */
const IN_VAIN_MS = 10_000;
/** A page that was reloaded for what it misses, and misses it again, is not reloaded for so long. */
const RELOAD_AGAIN_MS = 60_000;
const RELOADED = 'awp.reloaded';

/** Errors of code that was not loaded: the service was away, or has files of other names since an upgrade. */
const unloaded = new WeakSet<object>();
/** Addresses of styles that were not loaded. The bundler never asks for one again. */
const lostStyles = new Set<string>();
let triedAt = -Infinity;
let back: Promise<string> | null = null;

/** Notes what code is missing, in our own words: those of the browser and the bundler name files. */
export function watchLoading(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    unloaded.add(payload);
    const style = /^Unable to preload CSS for (\S+)/.exec(payload.message)?.[1];
    if (style) lostStyles.add(style);
    // The router reloads the page at once for the words of the browser, also while there is no service.
    payload.message = 'The code of this screen was not loaded.';
    void untilBack();
  });
}

/** Whether an error may be gone when the service answers again. */
export const mayPass = (error: unknown): boolean =>
  (typeof error === 'object' && error !== null && unloaded.has(error)) || isPassing(asProblem(error));

/** Resolves when the service answers, with the name of its build of these pages. Styles that were lost are there then. */
function untilBack(): Promise<string> {
  back ??= waitForService().finally(() => (back = null));
  return back;
}

async function waitForService(): Promise<string> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
    const build = await servedBuild();
    if (build === null) continue;
    await Promise.all([...lostStyles].map(loadStyle));
    return build;
  }
}

/** The address of the last script that the service names now; null while it does not answer with these pages. */
async function servedBuild(): Promise<string | null> {
  try {
    const response = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-store' });
    return response.ok ? buildIn(await response.text()) : null;
  } catch {
    return null; // There is no connection.
  }
}

/** The last script names the files of all screens, so it has a name of its own in each build. The one before it does not. */
const buildIn = (page: string): string | null =>
  [...page.matchAll(/<script[^>]* src="(\/assets\/[^"]+)"/g)].at(-1)?.[1] ?? null;

function loadStyle(href: string): Promise<void> {
  return new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.addEventListener('load', () => {
      lostStyles.delete(href);
      resolve();
    });
    // It may be one of a former build, which a reload replaces.
    link.addEventListener('error', () => resolve());
    document.head.append(link);
  });
}

/** Loads the page again, once: what people typed is kept as drafts. Returns false where that was done just now. */
function reloadOnce(): boolean {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < RELOAD_AGAIN_MS) return false;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
  return true;
}

interface RecoveringProps {
  /** What is missing, as the beginning of a sentence: "This screen". */
  what: string;
  error: unknown;
  /** Tries again, now that the service answers. */
  onRetry: () => void;
}

/** In place of what the service did not send: it tries again by itself once the service answers, and reloads once. */
export function Recovering({ what, error, onRetry }: RecoveringProps) {
  const [isInVain, setInVain] = useState(false);
  useEffect(() => {
    let isShown = true;
    const goOn = async () => {
      const build = await untilBack();
      if (!isShown) return;
      const isOther = !document.querySelector(`script[src="${CSS.escape(build)}"]`);
      const misses = unloaded.has(error as object);
      if (misses && (isOther || performance.now() - triedAt < IN_VAIN_MS)) {
        setInVain(!reloadOnce());
        return;
      }
      triedAt = performance.now();
      onRetry();
    };
    void goOn();
    return () => {
      isShown = false;
    };
    // A new error is a new try; the function is a new one with each drawing.
  }, [error]);
  if (isInVain)
    return (
      <Notice tone="bad" title={`${what} is missing on the service`}>
        <p>Its code could not be loaded, also after the page was loaded again. What you typed is kept.</p>
        <Button small onClick={() => location.reload()}>
          Load the page again
        </Button>
      </Notice>
    );
  return (
    <Notice tone="warning" title={`${what} is not loaded yet`}>
      <p>
        The service does not answer. It appears by itself when the service is back. What you typed is kept.
      </p>
    </Notice>
  );
}

/**
 * A part of a screen whose code is loaded when it is shown first. Where that fails, the rest of the screen stays, and the
 * part appears when the service is back.
 * @param waiting is shown until then
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
): ComponentType<Props> {
  // React keeps the failure of a lazy component for ever, so each try is one of its own.
  const attempt = () => lazy(async () => ({ default: await load() }));
  let Part = attempt();
  return function Later(props: Props) {
    const [tries, setTries] = useState(0);
    const queries = useQueryErrorResetBoundary();
    const again = () => {
      queries.reset();
      Part = attempt();
      setTries(tries + 1);
    };
    return (
      <CatchBoundary
        getResetKey={() => tries}
        errorComponent={({ error }) =>
          mayPass(error) ? (
            <Recovering what="This part of the screen" error={error} onRetry={again} />
          ) : (
            <ProblemNotice title="This part of the screen cannot be shown" error={error} />
          )
        }
      >
        <Suspense fallback={waiting}>
          <Part {...props} />
        </Suspense>
      </CatchBoundary>
    );
  };
}

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
