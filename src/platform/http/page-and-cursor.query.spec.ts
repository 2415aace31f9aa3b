import { describe, expect, it } from '@jest/globals';
import { nextLink } from './page-and-cursor.query.js';

describe('nextLink', () => {
  it('adds the cursor to the path', () => {
    expect(nextLink('/api/projects', 'abc')).toBe('</api/projects?cursor=abc>; rel="next"');
  });

  it('keeps the other parameters and replaces the cursor of this page', () => {
    expect(nextLink('/api/projects/issues?status=Open,Closed&q=a%26b+c&cursor=old&limit=2', 'new')).toBe(
      '</api/projects/issues?status=Open%2CClosed&q=a%26b+c&cursor=new&limit=2>; rel="next"',
    );
  });

  it('lets nothing in the address end the link early', () => {
    const header = nextLink('/api/x>;"<?q=>;rel=%0d%0a%22<', 'c');
    expect(header.slice(1, -'>; rel="next"'.length)).not.toMatch(/[<>"\r\n ]/);
    expect(nextLink('//elsewhere.example/api', 'c')).toBe('<//elsewhere.example/api?cursor=c>; rel="next"');
  });
});
