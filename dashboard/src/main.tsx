import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { makeQueryClient } from './api/client';
import { NotFoundScreen, ProblemScreen, watchLoading } from './parts/later';
import { Toasts } from './parts/toasts';
import { routeTree } from './route-tree';
import './theme/ground.css';

watchLoading();

const queryClient = makeQueryClient();
const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  // A screen that is missing or fails says so in its own place; rail and top bar stay.
  defaultNotFoundComponent: NotFoundScreen,
  defaultErrorComponent: ProblemScreen,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
