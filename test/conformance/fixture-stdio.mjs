// The conformance fixture on the standard streams, for comparing our wire client with the SDK's.
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { conformanceServer } from './fixture.mjs';

await conformanceServer().connect(new StdioServerTransport());
