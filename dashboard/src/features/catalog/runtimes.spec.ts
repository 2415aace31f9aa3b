import { describe, expect, it } from 'vitest';
import { runtimeWords } from './catalog-screen';

const found = (version: string) => ({ detected: true, version });
const lacking = { detected: false };

describe('runtimeWords', () => {
  it('names what was found and what was not', () => {
    expect(runtimeWords({ node: found('20.20.2'), python: found('3.11.7'), pipx: lacking })).toBe(
      'Each server is pinned to one version. This host has Node 20.20.2 and Python 3.11.7; pipx was not found.',
    );
  });

  it('reads well when all or none are there', () => {
    const all = { node: found('20.1.0'), python: found('3.11.7'), pipx: found('1.4.3') };
    expect(runtimeWords(all)).toContain('Node 20.1.0, Python 3.11.7 and pipx 1.4.3.');
    expect(runtimeWords({ node: lacking, python: lacking, pipx: lacking })).toContain(
      'This host has no runtime; Node, Python and pipx were not found.',
    );
  });
});
