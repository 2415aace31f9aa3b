// An agent that splits its issue, and gets it back when the parts are done. It is a plain command of awp-runner:
//   agents: { planner: { key: $AWP_PLANNER_KEY, command: 'node splitter.mjs' } }
// The lines of the description that begin with '- ' become sub-issues, one after the other. They are the planner's own here;
// give each part its `assignedAgentId` to hand it to another agent.
import { readFileSync, writeFileSync } from 'node:fs';

const { AWP_BRIEF = '', AWP_ISSUE = '', AWP_MCP_TOKEN = '', AWP_MCP_URL = '', AWP_RESULT = '' } = process.env;
const brief = readFileSync(AWP_BRIEF, 'utf8');

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

const parts = brief.split('\n').filter((line) => line.startsWith('- '));
if (brief.includes('## Its sub-issues')) {
  // All of them are resolved or closed, or this issue would not have come back.
  const done = brief.split('## Its sub-issues')[1].match(/^- .*$/gm) ?? [];
  writeFileSync(AWP_RESULT, `All ${done.length} parts are done:\n\n${done.join('\n')}`);
} else if (parts.length === 0) {
  writeFileSync(AWP_RESULT, 'Done. Replace this with your own work.');
} else {
  const { issue } = await call('platform__get_issue', {});
  const issues = parts.map((line, at) => ({
    ref: `part ${at + 1}`,
    title: line.slice(2).trim(),
    parent: AWP_ISSUE,
    blockedBy: at === 0 ? [] : [`part ${at}`],
    assignedAgentId: issue.assignedAgentId,
  }));
  await call('platform__plan_issues', { projectId: issue.projectId, issues });
}
