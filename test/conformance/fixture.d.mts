import type { McpServer } from '@modelcontextprotocol/server';

export function conformanceServer(notify?: object): McpServer;
export function startFixture(): Promise<{ port: number; close: () => void }>;
