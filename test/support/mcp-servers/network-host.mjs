// A service with one server that makes attempts, run as another user: node network-host.mjs CONNECTION_MODULE OPTIONS
// SERVER ATTEMPTS [NEIGHBOUR] (all but the first as JSON). Prints the outcomes as JSON. The neighbour is another server, which
// listens at an abstract socket.
const [connectionModule, options, server, attempts, neighbour] = process.argv.slice(2);
const { openConnection } = await import(connectionModule);

const other = neighbour && (await openConnection(JSON.parse(neighbour), JSON.parse(options)));
await other?.request('tools/call', { name: 'listen', arguments: { path: '\0awp-neighbour' } });
const connection = await openConnection(JSON.parse(server), JSON.parse(options));
const outcomes = [];
for (const [name, given] of JSON.parse(attempts)) {
  const result = await connection.request('tools/call', { name, arguments: given });
  outcomes.push(`${name} ${JSON.stringify(given)} ${result.content[0].text}`);
}
await connection.close();
await other?.close();
console.log(JSON.stringify(outcomes));
