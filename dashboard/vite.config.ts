import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// The service that `npm run dev` talks to. Requests go through the development server, so the session cookie works.
const service = process.env['AWP_URL'] ?? 'http://127.0.0.1:3000';

// Files of 300 bytes compress badly, so the tabs of an area are one file.
const GROUPS = ['agents', 'servers', 'settings'].map((name) => ({
  name,
  test: new RegExp(`/src/features/${name}/`),
}));

// Tests that draw, or use what only a page has.
const PAGES = ['src/**/*.spec.tsx', 'src/**/*.page.spec.ts'];

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
    // Dependencies stay where they are. No cycle of files comes of that, because nothing below imports a feature: a group of
    // what lies below, such as `parts`, gets the bundler's own helpers and is imported by its own dependencies.
    rolldownOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: GROUPS } },
    },
  },
  test: {
    // A busy machine takes long to draw many cards.
    testTimeout: 60_000,
    projects: [
      // These need no page. They share one process, because a new one for each file takes longer than its tests.
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
          include: PAGES,
          setupFiles: ['src/test-setup.ts'],
        },
      },
    ],
  },
  server: { proxy: { '/api': service } },
});
