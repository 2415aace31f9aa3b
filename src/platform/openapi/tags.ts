/** The areas of the API in the order in which an operator meets them. */
export const tags: Record<string, string> = {
  Projects: 'What issues belong to, and who sees them.',
  Goals: 'What the issues of a project are for.',
  Issues: 'Units of work that agents execute.',
  Links: 'Which issues block, duplicate or relate to which.',
  Comments: 'What people and agents say on an issue.',
  Attachments: 'Files on an issue.',
  Agents: 'The register of agents and their keys.',
  'Agents at work': 'What an agent calls for itself: heartbeats, turns, tools.',
  'MCP servers': 'The catalogue, installed servers, their tools, and which agent may use what.',
  'Users and keys': 'People, their roles and keys.',
  Sessions: 'Signing in on the dashboard.',
  Events: 'What happens, followed live.',
  Webhooks: 'What happens, sent elsewhere.',
  Audit: 'What happened, who did it.',
  Operation: 'Health and metrics.',
};
