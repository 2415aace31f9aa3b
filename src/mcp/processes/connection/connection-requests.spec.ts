import { expect, it, jest } from '@jest/globals';
import { type Client, ProtocolError, type Transport } from '@modelcontextprotocol/client';
import { callWithHeaders } from './connection-requests.js';

const route = {
  name: 'route',
  inputSchema: { type: 'object', properties: { region: { 'x-mcp-header': 'Region' } } },
};
const refusal = () => Promise.reject(new ProtocolError(-32020, 'The header Region is missing.'));
const transport = { hasPerRequestStream: true } as Transport;
const request = { method: 'tools/call', params: { name: 'route' } };

/** Calls the tool `route` of a server that lists these tools and refuses the call without its header. */
async function calling(...tools: unknown[]) {
  const callTool = jest.fn<(...given: unknown[]) => Promise<object>>().mockResolvedValue({ content: [] });
  const client = { request: async () => ({ tools }), callTool } as unknown as Client;
  await callWithHeaders(client, transport, request, {}, refusal);
  return callTool;
}

it('repeats a call with the headers of its tool, however invalid the other tools are', async () => {
  const callTool = await calling({ name: 'odd', title: null }, null, {
    ...route,
    outputSchema: { type: 'object' },
  });
  expect(callTool).toHaveBeenCalledWith(request.params, expect.objectContaining({ toolDefinition: route }));
});

it('returns the refusal of a tool that is not listed', async () => {
  await expect(calling({ ...route, title: null })).rejects.toThrow('The header Region is missing.');
});
