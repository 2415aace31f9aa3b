import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// The service that `npm run dev` talks to. Requests go through the development server, so the session cookie works.
const service = process.env['AWP_URL'] ?? 'http://127.0.0.1:3000';

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
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.spec.{ts,tsx}'],
    setupFiles: ['src/test-setup.ts'],
    // A busy machine takes long to draw many cards.
    testTimeout: 60_000,
  },
  server: { proxy: { '/api': service } },
});
