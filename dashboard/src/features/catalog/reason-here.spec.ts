import { expect, it } from 'vitest';
import { reasonHere } from './entries';

it('names the button of the page in place of the request, and keeps every other reason', () => {
  const reason = 'X needs pipx: install pipx and look again with GET /api/mcp/runtime?refresh=true.';
  expect(reasonHere({ installableReason: reason })).toBe(
    'X needs pipx: install pipx, and press Reload in the catalogue.',
  );
  expect(reasonHere({ installableReason: 'Not for this platform.' })).toBe('Not for this platform.');
});
