/** Drops what this run has made, and ends its server. */
export default async function endOfTests() {
  await globalThis.awpTests.hosts?.stop();
  await globalThis.awpTests.pooler?.stop();
  await globalThis.awpTests.run?.end();
  await globalThis.awpTests.server?.stop();
}
