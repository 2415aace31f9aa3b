// A service with one server that makes attempts, run as another user: node network-host.mjs CONNECTION_MODULE OPTIONS
// SERVER ATTEMPTS (all but the first as JSON). Prints the outcomes as JSON.
const [connectionModule, options, server, attempts] = process.argv.slice(2);
const { openConnection } = await import(connectionModule);

const connection = await openConnection(JSON.parse(server), JSON.parse(options));
const outcomes = [];
for (const [name, given] of JSON.parse(attempts)) {
  const result = await connection.request('tools/call', { name, arguments: given });
  outcomes.push(`${name} ${JSON.stringify(given)} ${result.content[0].text}`);
}
await connection.close();
console.log(JSON.stringify(outcomes));
