import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// Files share a page, so each test leaves an empty one. The library for tests cleans up for the first file of a process alone.
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});
