import { describe, expect, it } from '@jest/globals';
import { WarningList } from '../server-records/definition-rules.js';
import type { ListedTool } from '../server-records/tool-definition.js';
import { warnOfCost } from './list-warnings.js';

const tools = (count: number, description = '', invalid: string | null = null): ListedTool[] =>
  Array.from({ length: count }, (_, at) => ({
    definition: { name: `tool-${at}`, description, inputSchema: { type: 'object' } },
    invalid,
  }));
const said = (listed: ListedTool[]) => {
  const warnings = new WarningList();
  warnOfCost(listed, warnings);
  return warnings.all();
};

describe('the cost of a list', () => {
  it('is told where it has many tools or many bytes', () => {
    expect(said(tools(101))).toEqual([
      { subject: 'tools/list', message: expect.stringMatching(/101 tools and 7 kB: about 2,000 tokens/) },
    ]);
    expect(said(tools(2, 'x'.repeat(60_000)))[0]?.message).toMatch(/2 tools and 121 kB: about 30,000 tokens/);
  });

  it('is not told of an ordinary list, nor for tools that agents do not get', () => {
    expect(said(tools(100))).toEqual([]);
    expect(said(tools(500, '', 'it is no tool'))).toEqual([]);
  });
});
