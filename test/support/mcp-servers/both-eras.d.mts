import type { McpServer } from '@modelcontextprotocol/server';

export function aServer(log: (word: string) => void): McpServer;
