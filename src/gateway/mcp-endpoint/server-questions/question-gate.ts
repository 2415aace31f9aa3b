import { visibleText } from '../../../mcp/installed-servers/tools/visible-text.js';
import { actorOf } from '../../../platform/auth/principal.js';
import type { NewGate } from '../../../work/gates/gate-opening.service.js';
import type { AskedCall } from '../approvals/asked-call.js';
import type { QuestionForm } from './question-form.js';

const LONGEST_TITLE = 200;

/** Returns the gate by which people answer a question that a server asks about a call. */
export function questionGateOf(
  { agent, server, tool, calledFor }: AskedCall,
  { message, schema }: QuestionForm,
): NewGate {
  const [toolName, serverName] = [visibleText(tool), visibleText(server.serverName)];
  const issueId = calledFor?.projectId ? calledFor.issueId : null;
  const title = Array.from(`${serverName} asks: ${message.trim().split('\n', 1)[0]}`);
  return {
    kind: 'question',
    projectId: issueId && calledFor!.projectId,
    issueId,
    agentId: agent.id,
    title: title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1).join('')}…` : title.join(''),
    detail: `The server ${serverName} asks this, not the agent ${agent.name} that calls its tool ${toolName}:\n\n${message}`,
    request: { question: message, schema, serverId: server.serverId, serverName, toolName },
    holds: false,
    openedBy: actorOf(agent),
  };
}
