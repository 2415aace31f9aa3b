import { WebSocket } from 'undici';

/** The heap of a process that was started with `--inspect` on this port of loopback. */
export async function heapOf(port) {
  const [{ webSocketDebuggerUrl }] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
  const socket = new WebSocket(webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  const asked = new Map();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(data);
    asked.get(id)?.(result);
    asked.delete(id);
  });
  let last = 0;
  const ask = (method) =>
    new Promise((resolve) => {
      asked.set((last += 1), resolve);
      socket.send(JSON.stringify({ id: last, method }));
    });
  return {
    /** In bytes. Twice: what the first collection lets go of may hold more. */
    async usedAfterCollection() {
      await ask('HeapProfiler.collectGarbage');
      await ask('HeapProfiler.collectGarbage');
      const { usedSize } = await ask('Runtime.getHeapUsage');
      return usedSize;
    },
    close: () => socket.close(),
  };
}
