import { join } from 'node:path';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import type { Rolldown } from 'vite';
import { defineConfig } from 'vitest/config';

// The service that `npm run dev` talks to. Requests go through the development server, so the session cookie works.
const service = process.env['AWP_URL'] ?? 'http://127.0.0.1:3000';

/** A file with the component of a route, which stays a file of its own so that the router can load it. */
const ROUTE = '?tsr-split=';
const SCREENS = ['_app', '_app/index', 'login'].map((name) => `/src/routes/${name}.tsx${ROUTE}component`);

/** The modules that run before some of them: they themselves, and what they import at once. */
function loadedFor(ends: readonly string[], modules: Rolldown.ChunkingContext): Set<string> {
  const found = new Set(ends);
  for (const id of found)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/**
 * Files of 300 bytes compress badly, so what the first screen loads is two files instead of 40, which takes 15 kB less:
 * `start` is needed to sign in as well, `first` is the rest. Each has all that it imports, so no cycle of files can come of it.
 */
function firstScreen(): Rolldown.CodeSplittingGroup {
  let start: Set<string> | null = null;
  let first = new Set<string>();
  return {
    debugName: 'first screen',
    priority: 1,
    name(id, modules) {
      if (start === null) {
        const [app, index, login] = SCREENS.map((name) => join(import.meta.dirname, name));
        first = loadedFor([app!, index!], modules);
        start = loadedFor([join(import.meta.dirname, 'src/main.tsx')], modules);
        for (const shared of loadedFor([login!], modules)) if (first.has(shared)) start.add(shared);
      }
      if (id.includes(ROUTE) || modules.getModuleInfo(id)?.isEntry) return null;
      return start.has(id) ? 'start' : first.has(id) ? 'first' : null;
    },
  };
}

// The tabs of an area are one file for the same reason: those of a project, besides its issues, take 2 kB less so.
const AREAS = [
  'agents',
  'servers',
  'settings',
  'imports|schedules|issues/(labels/labels|code/hooks)-screen',
].map((folders) => ({
  name: folders.includes('|') ? 'project' : folders,
  test: new RegExp(`/src/features/(${folders})[/.]`),
}));

// Tests that draw, or use what only a page has.
const PAGES = ['src/**/*.spec.tsx', 'src/**/*.page.spec.ts'];
// Tests that replace a module, which must not be loaded by another file before.
const REPLACING = ['src/features/issues/board/*.{spec.tsx,page.spec.ts}'];

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      quoteStyle: 'single',
      generatedRouteTree: './src/route-tree.ts',
    }),
    react(),
  ],
  // Data URLs are not allowed by the page's Content-Security-Policy, so every asset is a file.
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    sourcemap: false,
    // Dependencies stay where they are. No cycle of files comes of that, because nothing below imports a feature.
    rolldownOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: [firstScreen(), ...AREAS] } },
    },
  },
  test: {
    // A busy machine takes long to draw many cards.
    testTimeout: 60_000,
    projects: [
      // Files share one process, because a new one for each takes longer than its tests. These need no page.
      {
        extends: true,
        test: {
          name: 'plain',
          environment: 'node',
          isolate: false,
          include: ['src/**/*.spec.ts'],
          exclude: PAGES,
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          environment: 'happy-dom',
          isolate: false,
          include: PAGES,
          exclude: REPLACING,
          setupFiles: 'src/page.setup.ts',
        },
      },
      {
        extends: true,
        test: { name: 'replacing', environment: 'happy-dom', include: REPLACING },
      },
    ],
  },
  server: { proxy: { '/api': service } },
});
