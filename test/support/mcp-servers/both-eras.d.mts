import type { McpServer } from '@modelcontextprotocol/server';

export function aServer(): McpServer;
