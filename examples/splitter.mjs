// An agent that splits its issue, and gets it back when the parts are done. It is a plain command of awp-runner:
//   agents: { planner: { key: $AWP_PLANNER_KEY, command: 'node splitter.mjs' } }
// The lines of the description that begin with '- ' become sub-issues, one after the other. They are the planner's own here;
// give each part its `assignedAgentId` to hand it to another agent.
import { writeFileSync } from 'node:fs';

const { AWP_ISSUE = '', AWP_MCP_TOKEN = '', AWP_MCP_URL = '', AWP_RESULT = '' } = process.env;

/** Calls a tool of the platform by MCP 2026-07-28, which needs no session, and returns its result. */
async function call(name, args) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'splitter', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const answer = await fetch(AWP_MCP_URL, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${AWP_MCP_TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args, _meta: meta },
    }),
  });
  const { result, error } = await answer.json();
  if (error || result.isError) throw new Error(JSON.stringify(error ?? result.structuredContent));
  return result.structuredContent;
}

const { issue } = await call('platform__get_issue', {});
const parts = (issue.description ?? '').split('\n').filter((line) => line.startsWith('- '));
if (issue.children.total > 0) {
  // All of them are resolved or closed, or this issue would not have come back. The brief names them.
  writeFileSync(AWP_RESULT, `All ${issue.children.total} parts are done.`);
} else if (parts.length === 0) {
  writeFileSync(AWP_RESULT, 'Done. Replace this with your own work.');
} else {
  const issues = parts.map((line, at) => ({
    ref: `part ${at + 1}`,
    title: line.slice(2).trim(),
    parent: AWP_ISSUE,
    blockedBy: at === 0 ? [] : [`part ${at}`],
    assignedAgentId: issue.assignedAgentId,
  }));
  await call('platform__plan_issues', { projectId: issue.projectId, issues });
}
