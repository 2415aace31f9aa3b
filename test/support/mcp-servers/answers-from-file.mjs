// A server whose result for each method stands in the JSON file ANSWERS_FILE; it reads the file for each request. Its
// messages have null for every member that they lack, as serializers of some languages write them. The tool call `listings` returns how often it has listed its tools.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answers = JSON.parse(readFileSync(process.env.ANSWERS_FILE, 'utf8'));
  const result = answers[method];
  if (result === undefined)
    return write({ id, result: null, error: { code: -32601, message: 'Method not found', data: null } });
  const progressToken = params?._meta?.progressToken;
  if (method === 'tools/call')
    write({
      id: null,
      method: 'notifications/progress',
      params: { progressToken, progress: 1, total: null, message: null },
    });
  write({ id, method: null, params: null, result, error: null });
});
