/** The areas of the API in the order in which an operator meets them. */
export const tags: Record<string, string> = {
  Projects: 'Projects hold issues and decide who sees them.',
  Goals: 'Goals that issues of a project serve.',
  Issues: 'Units of work that agents execute.',
  Links: 'Which issues block, duplicate or relate to which.',
  Comments: 'Comments of people and agents on an issue.',
  Attachments: 'Files on an issue.',
  Agents: 'The register of agents and their keys.',
  'Agents at work': 'Routes that an agent calls for itself: heartbeats, turns, tools.',
  Usage: 'What agents used, as they report it and as the service counts it.',
  'MCP servers': 'The catalogue, installed servers, their tools, and which agent may use what.',
  'Users and keys': 'People, their roles and keys.',
  Sessions: 'Signing in on the dashboard.',
  Events: 'The live stream of events.',
  Webhooks: 'Delivery of events to other systems.',
  Audit: 'The record of who did what.',
  Operation: 'Health and metrics.',
};
