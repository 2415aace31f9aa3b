// A service with one server that prints how many signals the server could send to it:
// node signal-receiver.mjs CONNECTION_MODULE OPTIONS SERVER (OPTIONS and SERVER as JSON).
const [connectionModule, options, server] = process.argv.slice(2);
const { openConnection } = await import(connectionModule);

let signals = 0;
process.on('SIGUSR1', () => (signals += 1));
const connection = await openConnection(JSON.parse(server), JSON.parse(options));
const sent = await connection.request('tools/call', { name: 'signal-group', arguments: {} });
await connection.request('tools/call', { name: 'capabilities', arguments: {} }); // Time for a signal to arrive.
await connection.close();
console.log(sent.content[0].text, signals);
